import type { Declared } from "./model-engine";
import {
  FailedRun,
  requireExactlyOnce,
  requireNothingLeft,
  requireRefreshShowsNothing,
  requireSecondRunDoesNothing,
  requireSuccess,
  runUntilSettled,
} from "./checks";
import { World } from "./world";

let world: World;
let ref: string;
beforeAll(async () => {
  world = await World.open({ pace: 0.1 });
  ref = world.project();
});
afterAll(() => world.close());

const key = (name: string): Declared => ({
  name,
  type: "ApiKey",
  inputs: () => ({ projectRef: ref, type: "secret", name }),
});
const keys = (): unknown[] =>
  world.scenario.emulator.control
    .call("listApiKeys", { ref })
    .flatMap(({ type, name }) => (type === "secret" && name !== "default" ? [name] : []));

it("checks two programs of two users, each on a machine of its own, to their end", async () => {
  const { control } = world.scenario.emulator;
  const [ours, theirs] = [world.stack("ours"), world.stack("theirs")];
  const before = world.snapshot();
  await ours.bring([key("ours")]);
  await theirs.bring([key("theirs")]);
  expect(ours.machine.folder).not.toBe(theirs.machine.folder);
  requireExactlyOnce("keys", keys(), ["ours", "theirs"]);
  for (const stack of [ours, theirs]) {
    await requireSecondRunDoesNothing(stack, control);
    await requireRefreshShowsNothing(stack);
  }
  expect(() =>
    requireNothingLeft("a run", [before, world.snapshot()], { moved: new Map(), changed: new Set() }),
  ).toThrow("after a run");
  for (const stack of [ours, theirs]) requireSuccess(await stack.destroy());
  requireExactlyOnce("keys", keys(), 0);
});

it("sees what somebody else changed, and what a run still does", async () => {
  const { control } = world.scenario.emulator;
  const stack = world.stack("drifting");
  stack.program = [key("drifting")];
  await expect(requireSecondRunDoesNothing(stack, control)).rejects.toThrow(
    "a second run does: create drifting",
  );
  const [{ id = "" } = {}] = control.call("listApiKeys", { ref }).filter(({ name }) => name === "drifting");
  control.call("deleteApiKey", { ref, id: id ?? "" });
  await expect(requireRefreshShowsNothing(stack)).rejects.toThrow("gone drifting, create drifting");
  requireSuccess(await stack.destroy());
});

it("runs three times at most, and follows what each failure advises", async () => {
  const followed: string[] = [];
  let runs = 0;
  const run = (): Promise<never> => {
    runs += 1;
    return Promise.reject(new FailedRun([new Error(`a${runs}`), new Error("b")]));
  };
  const settled = runUntilSettled(
    run,
    (failures) => void followed.push(failures.map(({ message }) => message).join()),
  );
  await expect(settled).rejects.toThrow("a3; b");
  expect({ runs, followed }).toEqual({ runs: 3, followed: ["a1,b", "a2,b"] });
});

it.each([
  [["a", "b"], "too many are b"],
  [[], "missing are a"],
  [["a", "a"], "repeated are a"],
])("tells %j from what is wanted: %s", (there, told) => {
  expect(() => requireExactlyOnce("it", there, ["a"])).toThrow(told);
});
