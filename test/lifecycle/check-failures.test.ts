import { z } from "zod";
import { startScenario, type Scenario } from "../kit/scenario";
import { listMarkedFields, formed } from "../../provider/define/markers";
import { formatPath } from "../../provider/define/property-path";
import { UNKNOWN } from "../../provider/define/unknown";
import type { Values } from "../../provider/define/values";
import { startProviderProcess, type ProviderProcess } from "../kit/provider-process";
import { resourceOf, sampleOf, samples } from "../kit/samples";
import { describeIssues } from "../../provider/engine/schema/describe-issue";
import { resolveConnection } from "../../provider/process/config";
import { startPluginProcess } from "../kit/plugin-process";
import { resourceByType } from "../../provider/catalog/catalog";
import { addAutonames } from "../../provider/engine/schema/autoname";
import { toSecret } from "../../provider/engine/schema/secrets";
import { OWNER } from "../../provider/ledger/owner";
import { checkInputs } from "../../provider/engine/check";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

const REF = "abcdefghijklmnopqrst";

describe("a misspelt key", () => {
  const started: ProviderProcess[] = [];
  afterEach(async () => {
    for (const provider of started.splice(0)) await provider.close();
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
    const names = listMarkedFields(resourceOf(sample).inputs)
      .filter(([, , { computed }]) => computed !== true)
      .map(([name]) => name);

    it("refuses every misspelt key with the nearest name, and sends nothing", async () => {
      for (const name of names) {
        const wrong = misspelt(name);
        if (names.includes(wrong) || wrong === name) continue;
        expect(await failuresOf(type, { ...sample.inputs(REF), [wrong]: "anything" })).toEqual([
          `${formatPath([wrong])}: unknown property; did you mean \`${name}\`?`,
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
      const failures = await failuresOf(type, { ...sampleOf(type).inputs(REF), ...inputs });
      expect(failures).toContain(`${path}.${wrong}: unknown property; did you mean \`${name}\`?`);
    },
  );
});

describe.each([
  ["the dynamic provider", (type: string) => Promise.resolve(startProviderProcess(scenario, type))],
  ["the plugin", (type: string) => startPluginProcess(scenario, type)],
] as const)("a misspelt key beside a secret, through %s", (_, start) => {
  async function reasonsOf(inputs: Values): Promise<string[]> {
    const provider = await start("AuthConfig");
    const { failures } = await provider.check({ projectRef: REF, ...inputs });
    await provider.close();
    return failures.map(({ property, reason }) => (property === "" ? reason : `${property}: ${reason}`));
  }
  const password = toSecret("hush-password");

  it.each([
    [{ smtp: { pass: password } }, "smtp.pass: unknown property; did you mean `password`?"],
    [{ smtp: { password, sender: "Shop" } }, "smtp.sender: unknown property; did you mean `senderName`?"],
    [{ smtp: { password, prot: 25 } }, "smtp.prot: unknown property; did you mean `port`?"],
    [
      { external: { idp01: { clientId: "a", secert: password } } },
      "external.idp01.secert: unknown property; did you mean `secret`?",
    ],
  ])("%j names it, with what was meant", async (inputs, told) => {
    expect(await reasonsOf(inputs)).toEqual([told]);
  });

  it("names no key that resembles none, which may be the secret, and lists those there are", async () => {
    const [told, ...others] = await reasonsOf({ smtp: toSecret({ "hush-password": true }) });
    expect(others).toEqual([]);
    expect(told).toMatch(/^smtp\["\[secret\]"\]: unknown property; known: .*\bpassword\b/);
    expect(told).not.toContain("hush");
  });
});

describe("what a check asks for", () => {
  function failures(type: string, inputs: Readonly<Record<string, unknown>>): string[] {
    return scenario.manage(resourceByType(type)).failures({ ...sampleOf(type).inputs(REF), ...inputs });
  }

  it.each([
    [
      "Secret",
      { projectRef: "Abc" },
      'projectRef: got "Abc"; expected a reference of 20 lowercase letters, as `abcdefghijklmnopqrst`',
    ],
    [
      "ApiKey",
      { name: "A b" },
      'name: got "A b"; expected 4 to 64 lowercase letters, digits and `_`, not beginning with a digit, as `mobile_app`',
    ],
    [
      "Project",
      { organizationSlug: "a b" },
      'organizationSlug: got "a b"; expected a slug of letters, digits, `_` and `-`, as `acme`',
    ],
    [
      "EdgeFunction",
      { slug: "1st" },
      'slug: got "1st"; expected a letter, then letters, digits, `_` and `-`, as `send-mail`',
    ],
    [
      "CustomHostname",
      { customHostname: "https://db.example.com" },
      'customHostname: got "https://db.example.com"; expected a hostname of at most 253 characters, without `https://`, port and path, as `db.example.com`',
    ],
    [
      "PostgresConfig",
      { workMem: "16 megs", statementTimeout: "5 sec" },
      'statementTimeout: got "5 sec"; expected a number with `us`, `ms`, `s`, `min`, `h` or `d`; ms without a unit, as `30s`',
      'workMem: got "16 megs"; expected a number with `B`, `kB`, `MB`, `GB` or `TB`; kB without a unit, as `64MB`',
    ],
    [
      "SsoProvider",
      { metadataUrl: "http://idp.example.com" },
      'metadataUrl: got "http://idp.example.com"; expected an `https` address, as `https://idp.example.com/metadata`',
    ],
    [
      "Branch",
      { secrets: { SVC_TOKEN: "x" }, notifyUrl: "here" },
      "secrets.SVC_TOKEN: invalid key; expected a name of at most 256 characters that does not begin with `SVC_`, as `PAYMENT_TOKEN`",
      'notifyUrl: got "here"; expected a URL, as `https://example.com/path`',
    ],
  ] as const)("%s says in one sentence, with an example, what it asks for", (type, inputs, ...told) => {
    expect(failures(type, inputs)).toEqual(told);
  });

  it("several checks of one text are one failure", () => {
    const schema = z.strictObject({
      name: formed(z.string().min(3).regex(/^a+$/), "three `a` or more", "aaa"),
    });
    const { error } = schema.safeParse({ name: "b" });
    expect(describeIssues(error?.issues ?? [], schema, { name: "b" })).toEqual([
      { path: "name", reason: 'got "b"; expected three `a` or more, as `aaa`' },
    ]);
  });
});

describe("a value of the wrong kind", () => {
  const WRONG: readonly unknown[] = [5, true, "", "a", [], ["a"], [[5]], {}, { a: 5 }, { a: ["b"] }, UNKNOWN];
  // Those are read from a state by the same functions as inputs.
  const OF_A_STATE = ["names", "hashes", "deployments", "slug", "id"];

  it.each(samples.map((sample) => [sample.type, sample] as const))(
    "%s refuses it in each input, and does nothing else with it",
    async (type, sample) => {
      const provider = startProviderProcess(scenario, type);
      const names = listMarkedFields(resourceOf(sample).inputs).map(([name]) => name);
      for (const name of new Set([...names, ...OF_A_STATE])) {
        for (const value of WRONG) {
          const { failures } = await provider.check({ ...sample.inputs(REF), [OWNER]: type, [name]: value });
          if (names.includes(name)) continue;
          expect(failures.map(({ reason }) => reason)).toContainEqual(
            expect.stringContaining(`${name}: unknown property`),
          );
        }
      }
      await provider.close();
      expect(scenario.calls()).toBe(0);
    },
  );
});

describe("a setting of the provider that is missing", () => {
  it("the dynamic provider tells a missing base URL and a missing token in one run", async () => {
    const provider = startProviderProcess(scenario, "Project", { env: {}, config: {} });
    const { failures } = await provider.check(sampleOf("Project").inputs(""));
    await provider.close();
    expect(failures.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^management:baseUrl: The base URL .*MANAGEMENT_BASE_URL/),
      expect.stringMatching(/^management:accessToken: The access token is missing.*MANAGEMENT_ACCESS_TOKEN/),
    ]);
  });

  it("the plugin tells both, and a malformed base URL beside a missing token", async () => {
    const plugin = await startPluginProcess(scenario, "Project", { env: {}, config: undefined });
    const missing = await plugin.checkConfig({});
    const malformed = await plugin.checkConfig({ baseUrl: "http://api.example.com" });
    await plugin.close();
    expect(missing.failures.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^baseUrl: The base URL/),
      expect.stringMatching(/^accessToken: The access token is missing/),
    ]);
    expect(malformed.failures.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^baseUrl: .*unencrypted/),
      expect.stringMatching(/^accessToken: The access token is missing/),
    ]);
  });

  it("a step that needs the service tells both as well", () => {
    expect(() => resolveConnection({}, () => undefined)).toThrow(
      /The base URL.* The access token is missing/,
    );
  });
});

describe("a slug that is made of a resource's name", () => {
  const edgeFunction = resourceByType("EdgeFunction");
  const given = { projectRef: REF, files: { "index.ts": "1" } };
  const randomSeed = new Uint8Array([1]);

  it.each([
    ["hello", /^hello-/],
    ["1st", /^f1st-/],
    ["on order.paid", /^on-order-paid-/],
    ["a/b", /^a-b-/],
    ["größe", /^gr--e-/],
    ["-", /^f--/],
  ])("is one that the service takes, though the name is %s", (name, form) => {
    const request = { name, randomSeed, mode: "default", proposedName: "" } as const;
    const inputs = addAutonames(edgeFunction, given, {}, request);
    expect(checkInputs(edgeFunction, inputs).failures).toEqual([]);
    expect(inputs["slug"]).toMatch(form);
    expect(inputs["slug"]).toMatch(/-[\da-f]{7}$/);
  });
});
