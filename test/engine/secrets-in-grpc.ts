import { readFileSync } from "node:fs";
import { isObject } from "../../spec/is-object";

const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";

/** The members of messages that hold properties: only below them a mark is one, as elsewhere nobody reads it. */
const PROPERTIES: Readonly<Record<string, { request?: readonly string[]; response?: readonly string[] }>> = {
  "ResourceProvider/CheckConfig": { request: ["olds", "news"], response: ["inputs"] },
  "ResourceProvider/DiffConfig": { request: ["olds", "news", "oldInputs"] },
  "ResourceProvider/Configure": { request: ["args"] },
  "ResourceProvider/Check": { request: ["olds", "news"], response: ["inputs"] },
  "ResourceProvider/Diff": { request: ["olds", "news", "oldInputs"] },
  "ResourceProvider/Create": { request: ["properties"], response: ["properties"] },
  "ResourceProvider/Read": {
    request: ["properties", "inputs", "oldInputs"],
    response: ["properties", "inputs"],
  },
  "ResourceProvider/Update": { request: ["olds", "news", "oldInputs"], response: ["properties"] },
  "ResourceProvider/Delete": { request: ["properties", "oldInputs"] },
  "ResourceProvider/Invoke": { request: ["args"], response: ["return"] },
  "ResourceMonitor/RegisterResource": { request: ["object"], response: ["object"] },
  "ResourceMonitor/RegisterResourceOutputs": { request: ["outputs"] },
  "ResourceMonitor/Invoke": { request: ["args"], response: ["return"] },
  "LanguageRuntime/Run": { request: ["configPropertyMap"] },
};

/** Where the engine itself, which knows that they are secrets, sends settings in clear to readers that know no marks. */
const CLEAR_BY_PROTOCOL = [
  /^ResourceProvider\/CheckConfig\.request\.(olds|news)\.(accessToken|clientSecret|refreshToken)$/,
  /^ResourceProvider\/DiffConfig\.request\.(olds|news|oldInputs)\.(accessToken|clientSecret|refreshToken)$/,
  /^ResourceProvider\/Configure\.request\.variables\.management:config:\w+$/,
  /^LanguageRuntime\/Run\.request\.config\.[\w-]+:\w+$/,
];

export interface Sightings {
  /** In clear where the protocol does not ask for it, as `<method>.<path>: <secret>`. */
  readonly leaks: readonly string[];
  /** Found within the mark of a secret. */
  readonly marked: ReadonlySet<string>;
  /** Found where the protocol itself carries it in clear. */
  readonly carried: ReadonlySet<string>;
}

/** Looks at every text of the recorded gRPC log, keys included, whether and where it holds one of the secrets. */
export function sightSecrets(file: string, secrets: readonly string[]): Sightings {
  const leaks = new Set<string>();
  const marked = new Set<string>();
  const carried = new Set<string>();
  const see = (text: string, path: string, isMarked: boolean): void => {
    for (const secret of secrets.filter((one) => text.includes(one))) {
      if (isMarked) marked.add(secret);
      else if (CLEAR_BY_PROTOCOL.some((place) => place.test(path))) carried.add(secret);
      else leaks.add(`${path}: ${secret}`);
    }
  };
  const walk = (value: unknown, path: string, place: "properties" | "marked" | "elsewhere"): void => {
    if (typeof value === "string") return see(value, path, place === "marked");
    if (typeof value !== "object" || value === null) return;
    const within = place === "properties" && isMark(value) ? "marked" : place;
    for (const [key, child] of Object.entries(value)) {
      see(key, path, within === "marked");
      walk(child, `${path}.${key}`, within);
    }
  };
  for (const call of readGrpcLog(file)) {
    for (const [member, value] of Object.entries(call)) {
      const path = `${call.method}.${member}`;
      const holders = member === "request" || member === "response" ? PROPERTIES[call.method]?.[member] : [];
      if (!isObject(value)) walk(value, path, "elsewhere");
      else {
        for (const [key, child] of Object.entries(value)) {
          walk(child, `${path}.${key}`, holders?.includes(key) === true ? "properties" : "elsewhere");
        }
      }
    }
  }
  return { leaks: [...leaks], marked, carried };
}

/** A secret, or an output value that says of itself that it is one. */
function isMark(value: object): boolean {
  const signature: unknown = Reflect.get(value, SIGNATURE_KEY);
  return signature === SECRET || (signature === OUTPUT && Reflect.get(value, "secret") === true);
}

/** The lines that the engine logs with `PULUMI_DEBUG_GRPC=<file>`, those of calls that have only begun included. */
function readGrpcLog(file: string): ({ readonly method: string } & Readonly<Record<string, unknown>>)[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      // The engine's own format.
      const call = JSON.parse(line) as { method: string };
      return { ...call, method: call.method.replace(/^\/pulumirpc\./, "") };
    });
}
