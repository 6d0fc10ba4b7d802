import { generateKeyPairSync } from "node:crypto";
import { resourceByType, allResources } from "../../provider/catalog/catalog";
import { listMarkedFields, isOptional } from "../../provider/define/markers";
import { createStepContext } from "../../provider/engine/step/runtime";
import { listUnreadable } from "../../provider/engine/step/adopted";
import { importResource } from "../../provider/engine/import";
import { branch } from "../../provider/resources/branches/branch/branch";
import type { SettledResource } from "../../provider/engine/create/create";
import type { Values } from "../../provider/define/values";
import { PRIVATE_JWK } from "../../tools/fixtures/auth/signing-key";
import { samples } from "../kit/samples";
import { startScenario, type Managed, type Scenario } from "../kit/scenario";
import { createClaim, withId } from "../../provider/ledger/claim";

// What the service shows neither as it is nor by a hash cannot be compared: of an object that existed before, its first
// declared value is recorded and not sent (`writeOnly`). A new input of that kind fails here until it is decided.

/** Inputs that a read shows only when they are declared, or at certain times, and that are compared then. */
const SHOWN_AT_TIMES: Readonly<Record<string, readonly string[]>> = {
  // The size costs a call, the activation has no way back, and of two sources of metadata the declared one is shown.
  Project: ["instanceSize"],
  // A review is requested only while the service shows that none was.
  Branch: ["requestReview"],
  CustomHostname: ["activate"],
  // An older service, as the emulator is here, does not have them.
  AuthConfig: ["passkeyEnabled"],
  RealtimeConfig: ["presenceEnabled"],
  SsoProvider: ["metadataXml"],
  // A declared query is compared with the history before it counts as applied.
  Migration: ["query", "rollback", "via"],
  MigrationSet: ["via"],
};

it("lists the inputs that can never be compared", () => {
  const found = allResources().flatMap((resource) =>
    listUnreadable(resource).map((name) => `${resource.type}.${name}`),
  );
  expect(found.sort()).toEqual([
    "Branch.diskSizeGb",
    "Branch.instanceSize",
    "Branch.region",
    "OrganizationWebhookEndpoint.signingSecret",
    "Project.dbPass",
    "SigningKey.privateJwk",
    "WebhookEndpoint.signingSecret",
  ]);
});

it("requires none of them of an object that exists", () => {
  const required = allResources().flatMap((resource) =>
    listMarkedFields(resource.inputs).filter(
      ([, field, { writeOnly }]) => writeOnly === true && !isOptional(field),
    ),
  );
  expect(required.map(([name]) => name)).toEqual([]);
});

/** What can be adopted or imported. */
const existing = samples.filter(({ type }) => {
  const resource = resourceByType(type);
  const canBeFound = resource.importId.refusal === undefined || resource.find !== undefined;
  return resource.isAction !== true && canBeFound;
});

it.each(existing.map((sample) => [sample.type, sample] as const))(
  "%s: a read shows every other input",
  async (type, sample) => {
    const scenario = await startScenario();
    try {
      const ref = sample.needsProject ? scenario.healthyProject() : "";
      sample.prepare?.(scenario, ref);
      const resource = resourceByType(type);
      const { id, state } = await scenario
        .manage(resource)
        .create({ ...sample.inputs(ref), ...sample.secretInputs });
      scenario.nextRun();
      const ctx = createStepContext(scenario.runtime, resource, "read", state, {
        claim: withId(createClaim(resource, state), id),
      });
      const shown = await resource.read(ctx, { id, state });
      const unseen = listMarkedFields(resource.inputs).flatMap(([name, , { local, createOnly, computed }]) =>
        local === true || createOnly === true || computed === true || shown?.inputs[name] !== undefined
          ? []
          : [name],
      );
      const decided = [...listUnreadable(resource), ...(SHOWN_AT_TIMES[type] ?? []), "extraSettings"];
      expect(unseen.filter((name) => !decided.includes(name))).toEqual([]);
    } finally {
      await scenario.close();
    }
  },
);

describe("the first value", () => {
  let scenario: Scenario;
  let ref: string;
  beforeEach(async () => {
    scenario = await startScenario();
    ref = scenario.healthyProject();
  });
  afterEach(() => scenario.close());

  const manage = (type: string): Managed => scenario.manage(resourceByType(type));
  /** Calls that are no reads. */
  const writes = (): string[] =>
    scenario.emulator.control
      .calls()
      .flatMap(({ method, operation }) => (method === "GET" ? [] : [operation ?? ""]));

  async function imported(type: string, id: string): Promise<SettledResource & { readonly inputs: Values }> {
    scenario.nextRun();
    const found = await importResource(scenario.runtime, resourceByType(type), id, true);
    if (found === undefined) throw new Error(`${id} is not there`);
    scenario.emulator.control.clearCalls();
    return found;
  }

  it.each([
    ["region", "us-east-1", "eu-west-1"],
    ["instanceSize", "small", "large"],
  ])(
    "of the %s of an imported branch is recorded, and replaces nothing; a later one does",
    async (name, first, later) => {
      const made = await scenario.manage(branch).create({ projectRef: ref, name: "preview" });
      const { id, state, inputs } = await imported("Branch", `${ref}/${made.id}`);
      const managed = manage("Branch");
      const declared = { ...inputs, [name]: first };
      expect(managed.diff(state, declared)).toMatchObject({ changes: true, replaces: [], recorded: [name] });
      const recorded = await managed.update({ id, state }, declared);
      expect(writes()).toEqual([]);
      expect(managed.diff(recorded.state, declared).changes).toBe(false);
      expect(managed.diff(recorded.state, { ...inputs, [name]: later }).replaces).toEqual([name]);
      // Of a branch that this program made it is known that there was none.
      const own = { projectRef: ref, name: "preview", [name]: first };
      expect(managed.diff(made.state, own).replaces).toEqual([name]);
    },
  );

  it("of the private key of an imported signing key is recorded where it may be its own, and replaces it where it is not", async () => {
    const managed = manage("SigningKey");
    const declared = { projectRef: ref, algorithm: "ES256", privateJwk: PRIVATE_JWK };
    const own = await managed.create(declared);
    const { id, state, inputs } = await imported("SigningKey", `${ref}/${own.id}`);
    const with_ = (privateJwk: unknown): Values => ({ ...inputs, privateJwk });
    expect(managed.diff(state, with_(PRIVATE_JWK))).toMatchObject({ replaces: [], recorded: ["privateJwk"] });
    const recorded = await managed.update({ id, state }, with_(PRIVATE_JWK));
    expect(writes()).toEqual([]);
    expect(managed.diff(recorded.state, with_(PRIVATE_JWK)).changes).toBe(false);
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const other = { ...privateKey.export({ format: "jwk" }) };
    expect(managed.diff(state, with_(other)).replaces).toEqual(["privateJwk"]);
    await expect(managed.create({ ...declared, privateJwk: other, adoptId: id })).rejects.toThrow(
      /cannot be taken over: its privateJwk is "another value"/,
    );
    expect(writes()).toEqual([]);
  });

  // What comes back hashed is compared, and sent where it differs.
  it.each(["the same", "another"])("of an imported secret is sent where it differs: %s", async (value) => {
    scenario.emulator.control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "the same" }] });
    const { id, state, inputs } = await imported("Secret", `${ref}/TOKEN`);
    const managed = manage("Secret");
    const declared = { ...inputs, value };
    expect([...managed.diff(state, declared).changed]).toEqual(["value"]);
    const updated = await managed.update({ id, state }, declared);
    expect(writes()).toEqual(value === "the same" ? [] : ["createSecrets"]);
    expect(managed.diff(updated.state, declared).changes).toBe(false);
  });

  it.each(["the same", "another"])(
    "of the secrets of an imported branch is sent where it differs: %s",
    async (value) => {
      const body = { branch_name: "preview", secrets: { TOKEN: "the same", OTHER: "other" } };
      const made = scenario.emulator.control.call("createBranch", { ref, body });
      scenario.clock.advance(10 * 60_000);
      const { id, state, inputs } = await imported("Branch", `${ref}/${made.project_ref}`);
      await manage("Branch").update({ id, state }, { ...inputs, secrets: { TOKEN: value } });
      expect(writes()).toEqual(value === "the same" ? [] : ["createSecrets"]);
    },
  );

  it.each(["the same", "another"])(
    "of a password of the settings is sent where it differs: %s",
    async (password) => {
      const smtp = {
        smtp_host: "mail.example.com",
        smtp_port: "587",
        smtp_user: "m",
        smtp_admin_email: "a@example.com",
      };
      scenario.emulator.control.call("updateAuthConfig", { ref, body: { ...smtp, smtp_pass: "the same" } });
      const declared = {
        projectRef: ref,
        smtp: { host: "mail.example.com", port: 587, user: "m", adminEmail: "a@example.com", password },
      };
      const { id, state } = await imported("AuthConfig", ref);
      await manage("AuthConfig").update({ id, state }, declared);
      expect(writes()).toEqual(password === "the same" ? [] : ["updateAuthConfig"]);
    },
  );

  it.each(["the same", "another"])(
    "of a set that takes over a secret is sent where it differs: %s",
    async (value) => {
      scenario.emulator.control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "the same" }] });
      scenario.emulator.control.clearCalls();
      await manage("SecretSet").create({ projectRef: ref, secrets: { TOKEN: value }, adopt: true });
      expect(writes()).toEqual(value === "the same" ? [] : ["createSecrets"]);
    },
  );
});
