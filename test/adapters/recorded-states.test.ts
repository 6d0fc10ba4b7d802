import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Values } from "../../provider/define/values";
import { adapters } from "../kit/adapter-life";
import { startScenario, type Scenario } from "../kit/scenario";

/** What a version of the package wrote into Pulumi's state for the sample of a type; the file's name is the version. */
interface RecordedState {
  readonly type: string;
  readonly adapter: string;
  readonly id: string;
  readonly inputs: Values;
  readonly outs: Values;
}

const FOLDER = join(__dirname, "recorded-states");

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario();
});
afterAll(() => scenario.close());

describe.each(readdirSync(FOLDER))("states of %s", (file) => {
  const states = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as readonly RecordedState[];

  it.each(states.map((state) => [state.type, state.adapter, state] as const))(
    "%s through the %s adapter: the first up after the upgrade changes nothing",
    async (type, name, { id, inputs, outs }) => {
      const adapter = adapters.find((each) => each.name === name);
      const provider = await adapter?.start(scenario, type);
      expect(await provider?.diff({ id, outs }, inputs)).toMatchObject({ changes: false, replaces: [] });
      await provider?.close();
    },
  );

  it("are those of every adapter", () => {
    expect(new Set(states.map(({ adapter }) => adapter)).size).toBe(adapters.length);
  });
});
