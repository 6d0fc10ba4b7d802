import { writeProgram } from "../../tools/engine/write-program";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";
import { declare, startYamlStack } from "./plugin-stack";
import { expectSuccess, outputOf, PRELUDE, startStack, type Stack } from "./stack";
import { waitUntil } from "../kit/wait-until";

beforeAll(() => engineForTests(LANGUAGES), PROVISIONING_TIMEOUT_MS);

const OURS = { type: "secret", name: "backend", description: "ours" };
const THEIRS = { type: "secret", name: "backend", description: "theirs" } as const;

/** A stack that declares a key of a project that is not its own. */
type Start = () => Promise<{ stack: Stack; declareKeyOf: (projectRef: string) => void }>;

const withClasses: Start = async () => {
  const stack = await startStack(PRELUDE);
  const program = (projectRef: string): string =>
    `${PRELUDE}\nnew management.ApiKey("key", ${JSON.stringify({ projectRef, ...OURS })});`;
  return {
    stack,
    declareKeyOf: (ref) => void writeProgram(stack.projectDir, program(ref), { name: "shop" }),
  };
};

const withPlugin: Start = async () => {
  const stack = await startYamlStack({ resources: {} });
  return {
    stack,
    declareKeyOf: (projectRef) =>
      stack.rewrite({ resources: { key: declare("ApiKey", { projectRef, ...OURS }) } }),
  };
};

describe.each([
  ["dynamic classes", withClasses],
  ["plugin", withPlugin],
])("with the %s", (_, start) => {
  let stack: Stack;
  let projectRef: string;
  beforeEach(async () => {
    const started = await start();
    ({ stack } = started);
    const body = { name: "theirs", organization_slug: "acme", db_pass: "password-of-the-test" };
    projectRef = stack.emulator.control.call("createProject", { body }).ref;
    stack.emulator.control.advance(600_000);
    started.declareKeyOf(projectRef);
  });
  afterEach(() => stack.dispose());

  const named = (): { id: string; description: string | null }[] =>
    stack.emulator.control
      .call("listApiKeys", { ref: projectRef })
      .flatMap(({ id, name, description }) =>
        name === OURS.name ? [{ id: id ?? "", description: description ?? null }] : [],
      );

  it("a key that a stranger makes while ours is answered 500 without being made is named, and outlives a destroy", async () => {
    const { control } = stack.emulator;
    control.addFault({ operation: "createApiKey", status: 500 });
    const up = stack.workspace.up();
    await waitUntil("the keys are listed", () => control.countCalls({ operation: "listApiKeys" }) > 0);
    const { id } = control.call("createApiKey", { ref: projectRef, body: THEIRS });
    const failed = await up;
    expect(failed.exitCode).not.toBe(0);
    expect(outputOf(failed)).toContain(`adoptId: "${id ?? ""}"`);
    expect(named()).toEqual([{ id, description: "theirs" }]);
    expectSuccess(await stack.workspace.destroy());
    expect(named()).toEqual([{ id, description: "theirs" }]);
  }, 180_000);
});
