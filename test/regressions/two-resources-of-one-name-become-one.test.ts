import { resourceOf, samples } from "../lifecycle/samples";
import type { Scenario } from "../lifecycle/scenario";
import type { Declared } from "../crash/model-engine";
import { messagesOf, startMachine, type Machine } from "./machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const named = samples.filter((sample) => resourceOf(sample).uniqueBy !== undefined);

describe.each(named.map((sample) => [sample.type, sample] as const))(
  "a second %s of one name",
  (type, sample) => {
    it("is refused by its check, before anything is sent", async () => {
      sample.prepare?.(scenario, projectRef);
      const inputs = sample.inputs(projectRef);
      const program: Declared[] = ["one", "two"].map((name) => ({ name, type, inputs: () => inputs }));
      const [message] = messagesOf(await machine.up(program));
      expect(message).toContain(`::one declares the same ${type}`);
      expect(await sample.onService(scenario, projectRef)).toHaveLength(1);
      expect(machine.engine.names).toEqual(["one"]);
    });
  },
);

it("lets two projects share a name where the program says so", async () => {
  const inputs = {
    name: "shop",
    organizationSlug: "acme",
    dbPass: "first-password",
    region: "eu-central-1",
    allowDuplicateName: true,
  };
  const program: Declared[] = ["one", "two"].map((name) => ({ name, type: "Project", inputs: () => inputs }));
  expect(messagesOf(await machine.up(program))).toEqual([]);
});
