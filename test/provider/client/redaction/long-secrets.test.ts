import fc from "fast-check";
import { resourceByType } from "../../../../provider/catalog/catalog";
import { ApiError } from "../../../../provider/client";
import { Redactor } from "../../../../provider/client/redaction/redactor";
import { normalizeEscapes } from "../../../../provider/client/redaction/normalize-escapes";
import { listSecretTexts } from "../../../../provider/engine/schema/secrets";
import type { Values } from "../../../../provider/define/values";
import type { OperationName } from "../../../../spec/table";
import { startPluginProcess } from "../../../kit/plugin-process";
import { startProviderProcess } from "../../../kit/provider-process";
import { sampleOf, samples } from "../../../kit/samples";
import { startScenario, type Scenario } from "../../../kit/scenario";
import { closeAll, failureOf, json, REF, setUp } from "../setup";
import { CUTS, ECHOES, JWK, LONG_SECRETS, PEM, runsLeft } from "./long-secrets";

/** Blanks in a row count as one character, a backslash as none. */
function isTold(run: string): boolean {
  return normalizeEscapes(run).text.length === run.length;
}

const secretNames = Object.keys(LONG_SECRETS);
const echoNames = Object.keys(ECHOES);
const cutNames = Object.keys(CUTS);

describe.each(secretNames)("%s", (name) => {
  const secret = LONG_SECRETS[name] ?? "";
  afterEach(closeAll);

  it.each(echoNames)("is hidden when the service repeats it %s, however it cuts it", async (echoName) => {
    const echo = ECHOES[echoName] ?? String;
    const said = cutNames.map((cutName) => CUTS[cutName]?.(echo(secret)) ?? "");
    const { client } = await setUp((_, index) => {
      const message = `The value ${said[index % said.length] ?? ""} is refused`;
      // As its message, as a text without any, and in a header.
      return index < said.length
        ? json({ message }, 400)
        : {
            status: 400,
            body: message.replaceAll("\n", " "),
            headers: { "x-said": encodeURIComponent(message) },
          };
    });
    for (let index = 0; index < 2 * said.length; index += 1) {
      const failure = await failureOf(
        client.createSecrets({ ref: REF, body: [{ name: "KEY", value: secret }] }),
      );
      if (!(failure instanceof ApiError)) throw failure;
      // The stack begins with the message, which holds what the service said.
      const shown = [failure.stack ?? "", ...Object.values(failure.headers)].join("\n");
      expect(runsLeft(shown, secret, echo).filter(isTold)).toEqual([]);
      // A blank before a secret that begins with `+` goes with it.
      expect(failure.message).toMatch(/saying ["“]The value/);
      expect(failure.serviceMessage.length).toBeLessThanOrEqual(1_001);
    }
  });
});

describe("a message of the service", () => {
  const secret = fc.oneof(
    fc.string({ minLength: 16, maxLength: 3_000 }),
    fc.string({ minLength: 16, maxLength: 300, unit: "grapheme" }),
    fc.constantFrom(
      ...Object.values(LONG_SECRETS),
      ...samples.flatMap(({ type, inputs, changed }) =>
        [inputs(REF), changed(REF)].flatMap((values) => listSecretTexts(resourceByType(type), values)),
      ),
    ),
  );

  it("holds no eight characters in a row of any secret, wherever it is cut", () => {
    const around = fc.string({ maxLength: 60, unit: fc.constantFrom(...Array.from("| ;\n")) });
    const cut = fc.tuple(fc.nat(3_000), fc.nat(3_000));
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...echoNames),
        around,
        cut,
        (secrets, echoName, between, [from, length]) => {
          const echo = ECHOES[echoName] ?? String;
          const echoed = secrets.map(echo).join(between);
          const start = from % echoed.length;
          const redactor = new Redactor().with(secrets);
          const shown = redactor.redactQuoted(echoed.slice(start, start + 8 + length));
          const told = normalizeEscapes(shown.replaceAll("[secret]", "\n")).text;
          const left = secrets.flatMap((secret) => runsLeft(told, normalizeEscapes(secret).text));
          expect(left).toEqual([]);
        },
      ),
    );
  });

  it("of our own shows no long piece of a secret, and names that a secret has as well", () => {
    const connection = `postgresql://app:${"pw-0123456789".repeat(5)}@db.${REF}.example.com:5432/app`;
    const redactor = new Redactor().with([connection, PEM]);
    const own = `The project ${REF} is paused: https://example.com/${REF}`;
    expect(redactor.redact(own)).toBe(own);
    const said = `The key ${PEM.slice(0, 60).replaceAll("\n", "\\n")}… of ${REF} is no key`;
    expect(runsLeft(redactor.redact(said), PEM)).toEqual([]);
  });
});

interface SecretCase {
  readonly type: string;
  readonly operation: OperationName;
  readonly secrets: Values;
}

const CASES: readonly SecretCase[] = [
  { type: "Project", operation: "createProject", secrets: { dbPass: "Kx7-".repeat(15) } },
  { type: "Branch", operation: "createBranch", secrets: { secrets: { KEY: PEM } } },
  {
    type: "SigningKey",
    operation: "createSigningKey",
    secrets: { algorithm: "RS256", privateJwk: { ...JWK } },
  },
  { type: "Secret", operation: "createSecrets", secrets: { value: LONG_SECRETS["a random text of 1.8 kB"] } },
];

describe.each([
  ["the dynamic provider", startProviderProcess],
  ["the plugin", startPluginProcess],
] as const)("%s", (_, start) => {
  let scenario: Scenario;
  beforeEach(async () => {
    scenario = await startScenario();
  });
  afterEach(() => scenario.close());

  it.each(CASES)("shows nothing of the secrets of a $type that the service repeats", async (secretCase) => {
    const { type, operation, secrets } = secretCase;
    const sample = sampleOf(type);
    const ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
    const inputs = { ...sample.inputs(ref), ...secrets };
    const provider = await start(scenario, type);
    const texts = listSecretTexts(resourceByType(type), inputs).filter((text) => text.length >= 8);
    expect(texts).not.toEqual([]);
    try {
      const checked = await provider.check(inputs);
      expect(checked.failures).toEqual([]);
      for (const cut of Object.values(CUTS)) {
        const said = `refused: ${cut(JSON.stringify(JSON.stringify(secrets)))}`;
        scenario.emulator.control.addFault({ operation, status: 422, message: said });
        const { message } = await failureOf(provider.create(checked.inputs));
        expect(message).toContain("refused: ");
        const shown = [message, ...provider.lines].join("\n");
        expect(texts.flatMap((text) => runsLeft(shown, text))).toEqual([]);
      }
    } finally {
      await provider.close();
    }
  });

  it("shows nothing of a branch's secret that its log holds, though the end of the log begins within it", async () => {
    const ref = scenario.healthyProject();
    const provider = await start(scenario, "Branch");
    const lines = PEM.split("\n").slice(-18);
    const log = ["the key is", ...lines, JSON.stringify({ key: PEM }).slice(0, 200), "refused"].join("\n");
    scenario.emulator.control.edit(({ projects }) => {
      for (const project of projects.values()) project.next.branchFailure = { step: "migrate", log };
    });
    try {
      const { inputs } = await provider.check({ ...sampleOf("Branch").inputs(ref), secrets: { KEY: PEM } });
      const { message } = await failureOf(provider.create(inputs));
      expect(message).toContain("refused");
      expect(runsLeft([message, ...provider.lines].join("\n"), PEM)).toEqual([]);
    } finally {
      await provider.close();
    }
  });
});
