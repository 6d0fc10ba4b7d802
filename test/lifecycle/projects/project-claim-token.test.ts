import type { Values } from "../../../provider/define/values";
import { writeMarks } from "../../../provider/define/state-marks";
import { projectClaimToken } from "../../../provider/resources/projects/project-claim-token/project-claim-token";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let tokens: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  tokens = scenario.manage(projectClaimToken);
});
afterEach(() => scenario.close());

const HOUR_MS = 3_600_000;
const declared = (more: Values = {}): Values => ({ projectRef: ref, ...more });
const onService = () => scenario.emulator.world.state.projects.get(ref)?.newer.claimToken;

it("shows the token and until when it can be used", async () => {
  const made = await tokens.create(declared());
  expect(made.state).toMatchObject({
    token: onService()?.token,
    tokenAlias: onService()?.alias,
    expiresAt: new Date(scenario.clock.now() + 24 * HOUR_MS).toISOString(),
  });
});

it("is made anew by the run that finds it about to expire, and by no refresh", async () => {
  const made = await tokens.create(declared());
  scenario.clock.advance(23 * HOUR_MS - 1_000);
  expect(tokens.diff(made.state, declared()).changes).toBe(false);
  scenario.clock.advance(2_000);
  scenario.nextRun();
  expect((await tokens.read(made))?.state).toEqual(made.state);
  expect(tokens.diff(made.state, declared())).toMatchObject({ changes: true, replaces: [] });
  const renewed = await tokens.update(made, declared());
  expect(renewed.state["token"]).not.toBe(made.state["token"]);
  expect(renewed.state["token"]).toBe(onService()?.token);
});

it("leaves a token that somebody else made, and takes its own for gone then", async () => {
  const made = await tokens.create(declared());
  scenario.clock.advance(1_000);
  scenario.emulator.control.call("deleteClaimToken", { ref });
  scenario.emulator.control.call("createClaimToken", { ref });
  scenario.nextRun();
  expect(await tokens.read(made)).toBeUndefined();
  await tokens.delete(made);
  expect(onService()).not.toBeNull();
});

it("replaces no token, not even one that it takes over", async () => {
  const { token: theirs } = scenario.emulator.control.call("createClaimToken", { ref });
  await expect(tokens.create(declared())).rejects.toThrow("already exists");
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  const taken = await tokens.create(declared({ adopt: true }));
  expect(onService()?.token).toBe(theirs);
  expect(scenario.calls("createClaimToken") + scenario.calls("deleteClaimToken")).toBe(0);
  expect(taken.state).not.toHaveProperty("token");
  expect(taken.state).toMatchObject({ tokenAlias: onService()?.alias });

  scenario.nextRun();
  expect((await tokens.read(taken))?.state).toEqual(taken.state);
  expect(tokens.diff(taken.state, declared()).changes).toBe(false);
});

it("keeps a token that it took over until it has expired, or as long as is declared", async () => {
  scenario.emulator.control.call("createClaimToken", { ref });
  const taken = await tokens.create(declared({ adopt: true }));
  const theirs = onService()?.token;
  scenario.clock.advance(24 * HOUR_MS - 1_000);
  expect(tokens.diff(taken.state, declared()).changes).toBe(false);
  expect(tokens.diff(taken.state, declared({ rotateBefore: 60 })).changes).toBe(true);
  scenario.clock.advance(2_000);
  scenario.nextRun();
  expect(tokens.diff(taken.state, declared())).toMatchObject({ changes: true, replaces: [] });
  const renewed = await tokens.update(taken, declared());
  expect(renewed.state["token"]).toBe(onService()?.token);
  expect(renewed.state["token"]).not.toBe(theirs);
});

it("keeps a token that it took over where a later update of it was interrupted", async () => {
  scenario.emulator.control.call("createClaimToken", { ref });
  const theirs = onService()?.token;
  const taken = await tokens.create(declared({ adopt: true }));
  scenario.nextRun();
  const again = await tokens.update(
    { ...taken, state: writeMarks(taken.state, { isPending: true }) },
    declared(),
  );
  expect(onService()?.token).toBe(theirs);
  expect(again.state).not.toHaveProperty("token");
});

it("has a token that works after its answer was lost", async () => {
  scenario.emulator.control.addFault({ operation: "createClaimToken", drop: "after" });
  const made = await tokens.create(declared());
  expect(made.state["token"]).toBe(onService()?.token);
});
