import {
  requireExactlyOnce,
  requireNothingLeft,
  requireRefreshShowsNothing,
  requireSecondRunDoesNothing,
  requireSuccess,
} from "../kit/checks";
import { EngineStack } from "../kit/engine-stack";
import { LANGUAGES } from "./example";
import { engineForTests, PROVISIONING_TIMEOUT_MS } from "./harness";

let stack: EngineStack;
beforeAll(async () => {
  stack = await EngineStack.open(await engineForTests(LANGUAGES));
}, PROVISIONING_TIMEOUT_MS);
afterAll(() => stack.close());

it("holds a program of the real engine to the checks that programs of the model engine are held to", async () => {
  const { control } = stack.emulator;
  const { ref } = control.call("createProject", {
    body: { name: "shop", organization_slug: "acme", db_pass: "a-password" },
  });
  control.advance(10 * 60_000);
  const secrets = (): string[] =>
    control.call("listSecrets", { ref }).flatMap(({ name }) => (/^[AB]$/.test(name) ? [name] : []));
  const before = control.snapshot();
  stack.program = [
    {
      name: "first",
      type: "Secret",
      inputs: () => ({ projectRef: ref, name: "A", value: "value-of-a" }),
    },
    {
      name: "second",
      type: "Secret",
      inputs: (outputs) => ({ projectRef: outputs("first")["projectRef"], name: "B", value: "value-of-b" }),
    },
  ];
  expect(requireSuccess(await stack.up()).steps.toSorted()).toEqual(["create first", "create second"]);
  requireExactlyOnce("secrets", secrets(), ["A", "B"]);
  await requireSecondRunDoesNothing(stack, control);
  await requireRefreshShowsNothing(stack);
  requireSuccess(await stack.destroy());
  requireExactlyOnce("secrets", secrets(), 0);
  requireNothingLeft("a destroy", [before, control.snapshot()], { moved: new Map(), changed: new Set() });
});
