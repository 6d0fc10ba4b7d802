import { generateKeyPairSync } from "node:crypto";
import type { State } from "../../emulator/world/state";
import type { Values } from "../../provider/lifecycle/state";
import type { Scenario } from "../lifecycle/scenario";

/** The properties that hold a secret, named once more by hand. */
export const SECRETS: Readonly<Record<string, readonly string[]>> = {
  Project: ["connectionString", "dbPass", "pooledConnectionString", "publishableKey", "secretKey"],
  Branch: [
    "connectionString",
    "jwtSecret",
    "password",
    "pooledConnectionString",
    "publishableKey",
    "secretKey",
    "secrets",
  ],
  SigningKey: ["privateJwk"],
  ApiKey: ["apiKey"],
  Secret: ["value"],
};

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
export const PRIVATE_JWK = { ...privateKey.export({ format: "jwk" }) };

/** The secret inputs that the samples leave out, and what asks for secret outputs. */
export const SECRET_INPUTS: Readonly<Record<string, Values>> = {
  Project: { withKeys: true, withPooler: true },
  Branch: { secrets: { PAYMENT_TOKEN: "the-branch's-own-token" }, withKeys: true, withPooler: true },
  SigningKey: { privateJwk: PRIVATE_JWK },
};

/** A change that somebody makes on the service, past this provider. */
export const BY_HAND: Readonly<Record<string, (state: State, ref: string) => void>> = {
  Project: ({ projects }) => projects.forEach((project) => void (project.name = "renamed by hand")),
  Branch: ({ branches }) => branches.forEach((branch) => void (branch.gitBranch = "by-hand")),
  SigningKey: ({ projects }, ref) =>
    projects.get(ref)?.signingKeys.forEach((key) => {
      if (key.algorithm === "ES256") key.status = "standby";
    }),
  ApiKey: ({ projects }, ref) =>
    projects.get(ref)?.apiKeys.forEach((key) => void (key.description = "by hand")),
  Secret: ({ projects }, ref) =>
    void projects.get(ref)?.secrets.set("PAYMENT_TOKEN", { value: "by hand", updatedAt: 0 }),
  EdgeFunction: ({ projects }, ref) =>
    projects.get(ref)?.functions.forEach((one) => void (one.name = "by hand")),
  SsoProvider: ({ projects }, ref) =>
    projects.get(ref)?.ssoProviders.forEach((one) => void (one.domains = one.domains.slice(0, 1))),
  CustomHostname: ({ projects }, ref) => {
    const record = projects.get(ref)?.customHostname;
    if (record) record.activatedAt = null;
  },
  PostgresConfig: ({ projects }, ref) => {
    const project = projects.get(ref);
    if (project) project.postgresOverrides = { ...project.postgresOverrides, work_mem: "1MB" };
  },
};

/** As a DNS provider does with the records that the service asks for. */
export function publishDnsRecords(scenario: Scenario, ref: string): void {
  const { data } = scenario.emulator.control.call("getCustomHostname", { ref });
  const { ownership_verification: owner, ssl } = data.result;
  scenario.emulator.control.edit(({ dnsTxt }) => {
    dnsTxt.set(owner.name, [owner.value]);
    for (const record of ssl.validation_records) dnsTxt.set(record.txt_name, [record.txt_value]);
  });
}
