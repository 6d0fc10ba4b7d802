import type { Values } from "../../provider/lifecycle/state";
import { startProviderProcess, type InState, type ProviderProcess } from "../adapters/provider-process";
import { asSecret as secret } from "../../provider/lifecycle/schema/secrets";
import { startScenario, type Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let ref: string;
const processes: ProviderProcess[] = [];
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(async () => {
  for (const each of processes.splice(0)) await each.close();
  await scenario.close();
});

/** What the plan of a program of the dynamic classes says when inputs change. */
async function planned(type: string, before: Values, after: Values): Promise<string[]> {
  const provider = startProviderProcess(scenario, type);
  processes.push(provider);
  const inputs = async (values: Values): Promise<Values> =>
    (await provider.check({ projectRef: ref, ...values })).inputs;
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
    expect.stringContaining("will change: smtp.port, smtp.senderName (added); secret: smtp.password."),
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
      "will change: smtp.senderName (removed), external.idp01.clientId (added); secret: external.idp01.secret (added).",
    ),
  ]);
});

it("names the secrets of a set, once each", async () => {
  const lines = await planned(
    "SecretSet",
    { secrets: secret({ HOST: "first-host", TOKEN: "first-token", OLD: "first-old" }) },
    { secrets: secret({ HOST: "second-host", TOKEN: "first-token", PORT: "second-port" }) },
  );
  expect(lines).toEqual([
    expect.stringContaining(
      "secrets that will change: secrets.HOST, secrets.OLD (removed), secrets.PORT (added).",
    ),
  ]);
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
  expect(lines).toEqual([expect.stringContaining('will change: attributeMapping.keys["[secret]"].name.')]);
});
