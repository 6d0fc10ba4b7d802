import { startScenario, type Scenario } from "../kit/scenario";
import { withoutIdentities } from "./without-identities";

/** A letter, a digit, and the two that are no letters to every expression. */
const SIGNS = ["a", "7", "-", "_"];
const SHOWN_LENGTH = 5;

/** Every text of these signs. */
function texts(length: number): string[] {
  return length === 0 ? [""] : texts(length - 1).flatMap((text) => SIGNS.map((sign) => text + sign));
}

let scenario: Scenario;
let ref: string;
let id: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
  const body = { type: "secret", name: "backend" } as const;
  id = scenario.emulator.control.call("createApiKey", { ref, body }).id ?? "";
});
afterEach(() => scenario.close());

/** The key as the service shows it whole and hidden, were its made-up part to begin and end like this. */
function shownKey(begin: string, end: string): unknown {
  const { control } = scenario.emulator;
  control.edit(({ projects }) => {
    const key = projects.get(ref)?.apiKeys.get(id);
    if (key === undefined) throw new Error("the key is there");
    const start = key.prefix.slice(0, -SHOWN_LENGTH);
    const made = key.apiKey.slice(key.prefix.length, -end.length);
    key.prefix = `${start}${begin}`;
    key.apiKey = `${key.prefix}${made}${end}`;
  });
  return [true, false].map((reveal) => control.call("getApiKey", { ref, id, reveal }));
}

it("takes keys for equal, whatever signs the made-up part begins and ends with", () => {
  const plain = withoutIdentities(shownKey("aaaaa", "aaaaa"));
  for (const text of texts(SHOWN_LENGTH)) {
    const other = withoutIdentities(shownKey(text, text));
    expect({ text, other }).toEqual({ text, other: plain });
  }
});

it("tells keys apart that are not the same one in both places", () => {
  const [one, other] = [shownKey("aaaaa", "aaaaa"), shownKey("bbbb-", "bbbb-")];
  expect(withoutIdentities([one, one])).not.toEqual(withoutIdentities([one, other]));
});
