import { secret } from "../../provider/resources/functions/secret/secret";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
  // For ten seconds it takes no secrets.
  const body = { restart_database: true };
  scenario.emulator.control.call("updatePostgresConfig", { ref: projectRef, body });
});
afterEach(() => scenario.close());

const names = ["FIRST", "SECOND", "THIRD"];

it.each(names)("only %s fails, whose own time is over", async (impatient) => {
  const secrets = scenario.manage(secret);
  const results = await Promise.allSettled(
    names.map((name) =>
      secrets.create({
        projectRef,
        name,
        value: "value",
        timeouts: { create: name === impatient ? 3 : 300 },
      }),
    ),
  );
  const failed = names.filter((_, index) => results[index]?.status === "rejected");
  expect(failed).toEqual([impatient]);
  const reasons = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []));
  expect(reasons[0]).toContain("timed out");
  const listed = scenario.emulator.control.call("listSecrets", { ref: projectRef });
  expect(listed.map(({ name }) => name)).toEqual(
    expect.arrayContaining(names.filter((name) => name !== impatient)),
  );
});
