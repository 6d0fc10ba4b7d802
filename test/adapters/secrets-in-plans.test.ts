import { createECDH } from "node:crypto";
import type { Values } from "../../provider/define/values";
import { UNKNOWN } from "../../provider/define/unknown";
import { toSecret, toSecret as secret } from "../../provider/engine/schema/secrets";
import { isObject } from "../../spec/is-object";
import { inSight, namesWithSecrets, wrappedNames } from "../kit/engine-values";
import { startPluginProcess } from "../kit/plugin-process";
import { startProviderProcess, type ProviderProcess, type InState } from "../kit/provider-process";
import { sampleOf, samples } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";

let scenario: Scenario;
const started: ProviderProcess[] = [];
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(async () => {
  for (const provider of started.splice(0)) await provider.close();
  await scenario.close();
});

function nextProcess(type: string): ProviderProcess {
  const provider = startProviderProcess(scenario, type);
  started.push(provider);
  return provider;
}

/** A key whose private part begins with `word`, and whose public one belongs to it. */
function jwkHolding(word: string) {
  const d = word.padEnd(43, "A");
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(d, "base64url");
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  return { kty: "EC", crv: "P-256", x, y, d };
}

interface SecretInputs {
  /** What the program declares, and then changes. */
  readonly first: Values;
  readonly second: Values;
  /** Secrets that the check computes of them. */
  readonly computed?: readonly string[];
  /** Values that do not fit, each with a part that must not be repeated. */
  readonly faulty: readonly Values[];
}

const NO_SECRETS: SecretInputs = { first: {}, second: {}, faulty: [] };

const HUSH_IN_HEX = Buffer.from("hush").toString("hex");

const WEBHOOK_SECRETS: SecretInputs = {
  first: { customHeaders: { Authorization: "hush-header" }, signingSecret: "hush-signing" },
  second: { customHeaders: { Authorization: "hush-rotated" }, signingSecret: "hush-signing-rotated" },
  faulty: [
    { customHeaders: "hush" },
    { customHeaders: { Authorization: ["hush"] } },
    { signingSecret: "hush" },
    { signingSecret: ["hush"] },
  ],
};

/** The secret inputs of each type, where it has some; every secret text holds the word "hush", a key of hexadecimal digits in them. */
const SECRET_INPUTS: Readonly<Record<string, SecretInputs>> = {
  Project: {
    first: { dbPass: "hush-db-password" },
    second: { dbPass: "hush-another-password" },
    faulty: [{ dbPass: ["hush-in-a-list"] }, { dbPass: { hush: "hush" } }],
  },
  Branch: {
    first: { secrets: { TOKEN: "hush-token" } },
    second: { secrets: { TOKEN: "hush-rotated", OTHER: "hush-other" } },
    faulty: [{ secrets: "hush" }, { secrets: { TOKEN: ["hush"] } }, { secrets: { SVC_A: "hush" } }],
  },
  AuthConfig: {
    first: { smtp: { host: "mail.example.com", password: "hush-smtp" } },
    second: { smtp: { host: "mail.example.com", password: "hush-smtp-rotated" } },
    faulty: [{ smtp: { password: ["hush"] } }, { hooks: { sendSms: { secrets: { hush: "hush" } } } }],
  },
  SigningKey: {
    first: { privateJwk: jwkHolding("hush-d") },
    second: { privateJwk: jwkHolding("hush-e") },
    faulty: [
      { privateJwk: "hush" },
      { privateJwk: { ...jwkHolding("hush"), d: ["hush"] } },
      { privateJwk: { k: "hush" } },
    ],
  },
  WebhookEndpoint: WEBHOOK_SECRETS,
  OrganizationWebhookEndpoint: WEBHOOK_SECRETS,
  LogDrain: {
    first: {
      webhook: { url: "https://hush:hush@logs.example.com/", headers: { Authorization: "hush-header" } },
    },
    second: {
      webhook: { url: "https://logs.example.com/?hush", headers: { Authorization: "hush-rotated" } },
    },
    faulty: [
      { webhook: { url: ["hush"] } },
      { webhook: { headers: "hush" } },
      { webhook: { headers: { Authorization: ["hush"] } } },
      { webhook: { url: "https://logs.example.com/?hush" }, datadog: { apiKey: "hush" } },
    ],
  },
  VaultSecret: {
    first: { value: "hush-in-the-vault" },
    second: { value: "hush-rotated" },
    faulty: [{ value: ["hush"] }, { value: "hush\0hush" }],
  },
  CryptoExtensionKey: {
    first: { rootKey: HUSH_IN_HEX.repeat(8) },
    second: { rootKey: HUSH_IN_HEX.repeat(7).padEnd(64, "0") },
    faulty: [
      { rootKey: "hush" },
      { rootKey: HUSH_IN_HEX },
      { rootKey: ["hush"] },
      { rootKey: { hush: "hush" } },
    ],
  },
  // Its sample has a token of the service.
  ProjectClaim: {
    first: {},
    second: {},
    computed: ["token"],
    faulty: [{ token: ["hush"] }, { token: { hush: "hush" } }],
  },
  Secret: {
    first: { value: "hush-value" },
    second: { value: "hush-another-value" },
    faulty: [{ value: ["hush"] }, { value: { hush: "hush" } }, { value: "hush".repeat(10_000) }],
  },
  SecretSet: {
    first: { secrets: { TOKEN: "hush-token" } },
    second: { secrets: { TOKEN: "hush-rotated", OTHER: "hush-other" } },
    computed: ["hashes"],
    faulty: [{ secrets: "hush" }, { secrets: { TOKEN: ["hush"] } }, { secrets: { SVC_A: "hush" } }],
  },
};

describe.each(samples.map((sample) => [sample.type, sample] as const))("%s", (type, sample) => {
  const secrets = SECRET_INPUTS[type] ?? NO_SECRETS;
  let ref: string;
  beforeEach(() => {
    ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
  });

  it("shows no secret in a plan, from the first preview to a change of the secret", async () => {
    const provider = nextProcess(type);
    const first = { ...sample.inputs(ref), ...secrets.first };
    const preview = await provider.check({
      ...first,
      ...(sample.needsProject ? { projectRef: UNKNOWN } : {}),
    });
    const checked = await provider.check(first);
    const made = await provider.create(checked.inputs);
    const changed = await provider.check({ ...first, ...secrets.second });
    const diff = await provider.diff(made, changed.inputs);

    expect(diff.changes).toBe(Object.keys(secrets.second).length > 0);
    for (const { inputs } of [preview, checked, changed]) {
      expect(namesWithSecrets(inputs)).toEqual([...(secrets.computed ?? []), ...Object.keys(secrets.first)]);
    }
    const shown = [
      inSight(preview.inputs),
      inSight(checked.inputs),
      inSight(changed.inputs),
      inSight(made.outs),
      [preview.failures, checked.failures, changed.failures, diff, provider.lines],
    ];
    for (const word of ["hush", HUSH_IN_HEX]) expect(JSON.stringify(shown)).not.toContain(word);
  });

  it("repeats no secret that it refuses", async () => {
    for (const faulty of secrets.faulty) {
      const { failures } = await nextProcess(type).check({ ...sample.inputs(ref), ...faulty });
      expect(failures).not.toEqual([]);
      const reasons = failures.map(({ reason }) => reason);
      for (const word of ["hush", HUSH_IN_HEX]) expect(reasons.join("\n")).not.toContain(word);
    }
  });
});

const processes = [
  ["dynamic provider", startProviderProcess],
  ["plugin", startPluginProcess],
] as const;

/** The value with other texts in it; undefined where it has none. */
function otherwise(value: unknown): unknown {
  if (typeof value === "string") return `${value} `;
  if (!isObject(value)) return undefined;
  const texts = Object.entries(value).filter(([, inner]) => typeof inner === "string");
  return texts.length === 0
    ? undefined
    : { ...value, ...Object.fromEntries(texts.map(([key, text]) => [key, `${String(text)} `])) };
}

describe.each(processes)("what is computed of a secret in the %s", (_, start) => {
  let process: ProviderProcess;
  afterEach(() => process.close());

  it.each(samples.map((sample) => [sample.type, sample] as const))(
    "does not tell it where the program alone makes it one: %s",
    async (type, sample) => {
      process = await start(scenario, type);
      const declared = sample.inputs("abcdefghijklmnopqrst");
      /** What others see of the checked inputs, but for the secret itself, which the engine hides. */
      const seen = async (name: string, value: unknown): Promise<string | undefined> => {
        const { inputs, failures } = await process.check({ ...declared, [name]: toSecret(value) });
        return failures.length > 0 ? undefined : JSON.stringify({ ...inSight(inputs), [name]: undefined });
      };
      for (const [name, value] of Object.entries(declared)) {
        const other = otherwise(value);
        const [one, two] = other === undefined ? [] : [await seen(name, value), await seen(name, other)];
        if (one !== undefined && two !== undefined) expect(two).toBe(one);
      }
    },
  );

  it.each([
    ["SqlScript", "query", ["result"]],
    ["EdgeFunction", "files", ["ezbrSha256", "sourceHash"]],
    ["Migration", "query", ["sha256"]],
  ])("is a secret of a %s as long as its %s is one", async (type, input, derived) => {
    const sample = sampleOf(type);
    const ref = scenario.healthyProject();
    sample.prepare?.(scenario, ref);
    process = await start(scenario, type);
    const declared = sample.inputs(ref);
    if (type === "SqlScript") declared["query"] = `${String(declared["query"])}; select 42 as answer`;
    const hidden = async (inputs: Values): Promise<string[]> => {
      const checked = await process.check(inputs);
      expect(checked.failures).toEqual([]);
      const made = await process.create(checked.inputs);
      const read = await process.read({ ...made, inputs: checked.inputs });
      const updated = await process.update(read, checked.inputs);
      const [first = [], ...others] = [made, read, updated].map(({ outs }) =>
        wrappedNames(outs).filter((name) => derived.includes(name)),
      );
      for (const names of others) expect(names).toEqual(first);
      expect(Object.keys(made.outs)).toEqual(expect.arrayContaining(derived));
      await process.delete(updated);
      return first;
    };
    expect(await hidden({ ...declared, [input]: toSecret(declared[input]) })).toEqual(derived);
    // A script of another name, as the database knows the first.
    const another = type === "SqlScript" ? { ...declared, name: "another" } : declared;
    expect(await hidden(another)).toEqual([]);
  });
});

it("a password that came back from the service is an output in secret: of a branch, and the key itself of an API key", async () => {
  const ref = scenario.healthyProject();
  for (const [type, names] of [
    // Bookkeeping is hidden as a whole.
    ["Branch", ["__inheritedFunctions", "connectionString", "jwtSecret", "password"]],
    ["ApiKey", ["apiKey"]],
  ] as const) {
    const provider = nextProcess(type);
    const { inputs } = await provider.check(sampleOf(type).inputs(ref));
    const { outs } = await provider.create(inputs);
    expect(wrappedNames(outs)).toEqual(names);
  }
});

describe("a change beside a secret", () => {
  /** What the plan of a program of the dynamic classes says when inputs change. */
  async function planned(type: string, before: Values, after: Values): Promise<string[]> {
    const ref = scenario.healthyProject();
    const provider = nextProcess(type);
    const inputs = async (values: Values): Promise<Values> =>
      (await provider.check({ ...(sampleOf(type).needsProject && { projectRef: ref }), ...values })).inputs;
    const made: InState = await provider.create(await inputs(before));
    const next = await inputs(after);
    provider.lines.splice(0);
    const { changes } = await provider.diff(made, next);
    expect(changes).toBe(true);
    const lines = provider.lines.splice(0);
    expect(lines.join("\n")).not.toMatch(/password-of|secret-of|first-|second-/);
    return lines;
  }

  const smtp = { host: "mail.example.com", port: 587, user: "mailer", adminEmail: "auth@example.com" };

  it("names what changes beside a password, and the password where that changes", async () => {
    const lines = await planned(
      "AuthConfig",
      { smtp: { ...smtp, password: secret("password-of-the-shop") } },
      { smtp: { ...smtp, port: 465, senderName: "Shop", password: secret("password-of-another") } },
    );
    expect(lines).toEqual([
      expect.stringContaining(
        "inputs: smtp.port (changed), smtp.senderName (added); secrets: smtp.password (changed)",
      ),
    ]);
  });

  it("names what is taken out, and what comes with a new group", async () => {
    const lines = await planned(
      "AuthConfig",
      { smtp: { ...smtp, senderName: "Shop", password: secret("password-of-the-shop") } },
      {
        smtp: { ...smtp, password: secret("password-of-the-shop") },
        external: { idp01: { clientId: "shop", secret: secret("secret-of-the-provider") } },
      },
    );
    expect(lines).toEqual([
      expect.stringContaining(
        "inputs: smtp.senderName (removed), external.idp01.clientId (added); secrets: external.idp01.secret (added)",
      ),
    ]);
  });

  it.each([
    ["Project", "dbPass"],
    ["Secret", "value"],
    ["VaultSecret", "value"],
  ])("names the secret of a %s that is changed, which Pulumi does not tell: %s", async (type, name) => {
    const [was, is] = [secret("secret-of-the-shop"), secret("secret-of-another")];
    const { projectRef: _, ...inputs } = sampleOf(type).inputs("");
    expect(await planned(type, { ...inputs, [name]: was }, { ...inputs, [name]: is })).toEqual([
      expect.stringContaining(`: secrets: ${name} (changed)`),
    ]);
  });

  it("names a text of which the program made a secret, and leaves to Pulumi what it tells", async () => {
    const inputs = (siteUrl: string, jwtExp: number): Values => ({ siteUrl: secret(siteUrl), jwtExp });
    const lines = await planned(
      "AuthConfig",
      inputs("https://shop.example.com", 60),
      inputs("https://another.example.com", 90),
    );
    expect(lines).toEqual([expect.stringContaining("inputs: siteUrl (changed)")]);
  });

  it("names the secrets of a set, once each", async () => {
    const lines = await planned(
      "SecretSet",
      { secrets: secret({ HOST: "first-host", TOKEN: "first-token", OLD: "first-old" }) },
      { secrets: secret({ HOST: "second-host", TOKEN: "first-token", PORT: "second-port" }) },
    );
    expect(lines).toEqual([expect.stringContaining("secrets: HOST (changed), OLD (removed), PORT (added)")]);
  });

  it("says nothing where nothing is hidden", async () => {
    const smtpWith = { smtp: { ...smtp, password: secret("password-of-the-shop") } };
    expect(await planned("AuthConfig", { ...smtpWith, jwtExp: 1800 }, { ...smtpWith, jwtExp: 900 })).toEqual(
      [],
    );
  });

  it("names what changes beside a value of which the program made a secret, but no key that it chose", async () => {
    const metadataUrl = "https://idp.example.com/metadata";
    const mapping = (name: string): Values => ({
      keys: { chosen: { name, default: secret("secret-of-the-program") } },
    });
    const lines = await planned(
      "SsoProvider",
      { metadataUrl, attributeMapping: mapping("mail") },
      { metadataUrl, attributeMapping: mapping("email") },
    );
    expect(lines).toEqual([
      expect.stringContaining('inputs: attributeMapping.keys["[secret]"].name (changed)'),
    ]);
  });
});
