import { readOnlyOverride } from "../../../provider/actions/database/read-only-override";
import { startScenario, type Managed, type Scenario } from "../../kit/scenario";

let scenario: Scenario;
let overrides: Managed;
let ref: string;

beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  overrides = scenario.manage(readOnlyOverride);
});
afterEach(() => scenario.close());

const becomeReadOnly = (): void => scenario.emulator.control.set(`projects.${ref}.readonly.enabled`, true);
const status = () => scenario.emulator.control.call("getReadonlyMode", { ref });

it("says until when it lasts, and its end is no drift", async () => {
  becomeReadOnly();
  const made = await overrides.create({ projectRef: ref });
  expect(status()).toMatchObject({ override_enabled: true });
  expect(made.state).toMatchObject({
    activeUntil: status().override_active_until,
    ranAt: new Date(scenario.clock.now()).toISOString(),
  });

  scenario.clock.advance(16 * 60_000);
  expect(status()).toMatchObject({ override_enabled: false });
  scenario.nextRun();
  expect((await overrides.read(made))?.state).toEqual(made.state);
  expect(overrides.diff(made.state, { projectRef: ref }).changes).toBe(false);
});

it("lifts nothing, and says so, where the database is not in read-only mode", async () => {
  const made = await overrides.create({ projectRef: ref });
  expect(scenario.calls("disableReadonlyMode")).toBe(0);
  expect(made.state["activeUntil"]).toBeUndefined();
  expect(scenario.infos.join()).toContain("not in read-only mode. Nothing was done");
});

it("prolongs an override that is in force", async () => {
  becomeReadOnly();
  await overrides.create({ projectRef: ref });
  scenario.clock.advance(10 * 60_000);
  const later = await overrides.create({ projectRef: ref, triggers: [2] });
  expect(later.state["activeUntil"]).toBe(new Date(scenario.clock.now() + 15 * 60_000).toISOString());
});

it.each([{}, { enabled: null }, { enabled: "VALUE_OF_TOMORROW" }])(
  "leaves it to the service where the answer does not tell whether the database is read-only: %j",
  async (body) => {
    becomeReadOnly();
    scenario.emulator.control.addFault({ operation: "getReadonlyMode", status: 200, body, times: 1 });
    await overrides.create({ projectRef: ref });
    expect(status()).toMatchObject({ override_enabled: true });
  },
);
