import { markedFields } from "../../provider/define/markers";
import type { Values } from "../../provider/lifecycle/state";
import { startProviderProcess, type ProviderProcess } from "../adapters/provider-process";
import { resourceOf, samples } from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";

const REF = "abcdefghijklmnopqrst";

let scenario: Scenario;
const started: ProviderProcess[] = [];
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(async () => {
  for (const provider of started.splice(0)) await provider.close();
  await scenario.close();
});

/** Two neighbours change places, as they do on a keyboard. */
function misspelt(name: string): string {
  const at = Math.floor(name.length / 2);
  return name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1);
}

async function failuresOf(type: string, inputs: Values): Promise<string[]> {
  const provider = startProviderProcess(scenario, type);
  started.push(provider);
  return (await provider.check(inputs)).failures.map(({ reason }) => reason);
}

describe.each(samples.map((sample) => [sample.type, sample] as const))("%s", (type, sample) => {
  const names = markedFields(resourceOf(sample).inputs)
    .filter(([, , { computed }]) => computed !== true)
    .map(([name]) => name);

  it("refuses every misspelt key with the nearest name, and sends nothing", async () => {
    for (const name of names) {
      const wrong = misspelt(name);
      if (names.includes(wrong) || wrong === name) continue;
      expect(await failuresOf(type, { ...sample.inputs(REF), [wrong]: "anything" })).toEqual([
        `${wrong}: unknown property; did you mean \`${name}\`?`,
      ]);
    }
    expect(scenario.calls()).toBe(0);
  });

  it("refuses a key that resembles none, and lists those there are", async () => {
    const [failure, ...others] = await failuresOf(type, { ...sample.inputs(REF), zzzzzzzzzz: true });
    expect(others).toEqual([]);
    expect(failure).toMatch(/^zzzzzzzzzz: unknown property; /);
    for (const name of names) expect(failure).toContain(name);
  });

  it("refuses one in `timeouts`, too", async () => {
    expect(await failuresOf(type, { ...sample.inputs(REF), timeouts: { craete: 60 } })).toEqual([
      "timeouts.craete: unknown property; did you mean `create`?",
    ]);
  });
});

it.each([
  [
    "Project",
    "regionSelection",
    { regionSelection: { type: "specific", cdoe: "eu-central-1" } },
    "cdoe",
    "code",
  ],
  ["SsoProvider", "attributeMapping", { attributeMapping: { keys: {}, kyes: {} } }, "kyes", "keys"],
  [
    "SsoProvider",
    "attributeMapping.keys.email",
    { attributeMapping: { keys: { email: { nmaes: ["mail"] } } } },
    "nmaes",
    "names",
  ],
] as const)(
  "a misspelt key within a %s's %s is refused by its path",
  async (type, path, inputs, wrong, name) => {
    const sample = samples.find((each) => each.type === type);
    const failures = await failuresOf(type, { ...sample?.inputs(REF), ...inputs });
    expect(failures).toContain(`${path}.${wrong}: unknown property; did you mean \`${name}\`?`);
  },
);
