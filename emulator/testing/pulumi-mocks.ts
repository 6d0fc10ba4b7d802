import { setImmediate as nextTurn } from "node:timers/promises";

/** What Pulumi gives a mock of a resource; of its own type, which the emulator does not load. */
interface ResourceArgs {
  readonly type: string;
  readonly name: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly id?: string;
}

interface CallArgs {
  readonly token: string;
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** A resource that a program declared, without what the SDK and this package add. */
export interface CreatedResource {
  /** Such as `Branch`; of other packages the whole type. */
  readonly type: string;
  readonly name: string;
  /** Secrets in clear. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

type MockValues = Readonly<Record<string, unknown>>;

export interface MockOptions {
  /** By type, such as `Branch`: what the service would add to the inputs. */
  readonly outputs?: Readonly<Record<string, MockValues | ((resource: CreatedResource) => MockValues)>>;
  /** By name, such as `getProject`: what the function returns. */
  readonly functions?: Readonly<Record<string, MockValues | ((inputs: MockValues) => MockValues)>>;
}

/** For `pulumi.runtime.setMocks`, and what it was given. */
export interface Mocks {
  newResource(args: ResourceArgs): { id: string; state: Record<string, unknown> };
  call(args: CallArgs): Record<string, unknown>;
  /** What the program declared so far, in the order in which it did. */
  readonly resources: readonly CreatedResource[];
  /**
   * Waits until the program declares nothing more, also in an `apply`. What a callback itself waits for, such as a file, it does not
   * know: await an output of that.
   */
  waitForProgram(): Promise<void>;
}

/** Mocks for programs of the dynamic classes and of generated SDKs. */
export function createMocks({ outputs = {}, functions = {} }: MockOptions = {}): Mocks {
  const resources: CreatedResource[] = [];
  let calls = 0;
  return {
    resources,
    async waitForProgram() {
      // Pulumi's own steps from one resource to the next take no turn of the event loop.
      for (let seen = -1; seen < resources.length + calls;) {
        seen = resources.length + calls;
        await nextTurn();
      }
    },
    newResource({ type, name, inputs, id }) {
      const resource = { type: typeNameOf(type), name, inputs: plainInputs(inputs) };
      resources.push(resource);
      const added = outputs[resource.type];
      const its = typeof added === "function" ? added(resource) : added;
      // A resource that is made has an empty one.
      return { id: id || `${name}-id`, state: { ...inputs, ...its } };
    },
    call({ token, inputs }) {
      const name = token.replace(/^.*:/, "");
      calls += 1;
      const answer = functions[name];
      if (answer === undefined) {
        throw new Error(
          `The program calls ${name}, which has no mock: createMocks({ functions: { ${name}: … } })`,
        );
      }
      return { ...(typeof answer === "function" ? answer(inputs) : answer) };
    },
  };
}

function typeNameOf(type: string): string {
  return /^(?:pulumi-nodejs:dynamic\/management:|management:index:)(\w+)$/.exec(type)?.[1] ?? type;
}

/** Those that begin with two lines are the package's own. */
function plainInputs(inputs: MockValues): MockValues {
  const declared = Object.entries(inputs).filter(([name]) => !name.startsWith("__"));
  return Object.fromEntries(declared.map(([name, value]) => [name, revealed(value)]));
}

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

function revealed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(revealed);
  const fields = Object.entries(value);
  // Pulumi's form of a secret.
  if (Reflect.get(value, SIGNATURE) === SECRET) return revealed(Reflect.get(value, "value"));
  return Object.fromEntries(fields.map(([name, child]) => [name, revealed(child)]));
}
