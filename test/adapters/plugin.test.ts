import { status } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { allResources } from "../../provider/catalog/catalog";
import { UNKNOWN } from "../../provider/define/unknown";
import type { Values } from "../../provider/define/values";
import { resourceOf, samples, secretsInState } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";
import { inClear, inSight, wrappedNames, wrappedPaths } from "../kit/engine-values";
import { startPluginProcess, type PluginProcess } from "../kit/plugin-process";
import type { InState, ProcessOptions, StepFailure } from "../kit/provider-process";
import { waitUntil } from "../kit/wait-until";

const SIGNATURE_KEY = "4dabf18193072939515e22adb298388d";
const secret = (value: unknown): Values => ({
  [SIGNATURE_KEY]: "1b47061264138c4ac30d75fd1eb44270",
  value,
});

let scenario: Scenario;
const processes: PluginProcess[] = [];

beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(async () => {
  for (const each of processes.splice(0)) await each.close();
  await scenario.close();
});

async function start(type: string, options?: ProcessOptions): Promise<PluginProcess> {
  const started = await startPluginProcess(scenario, type, options);
  processes.push(started);
  return started;
}

async function checked(plugin: PluginProcess, inputs: Values, olds?: Values): Promise<Values> {
  const result = await plugin.check(inputs, olds);
  expect(result.failures).toEqual([]);
  return result.inputs;
}

async function failureOf(step: Promise<unknown>): Promise<Error & Partial<StepFailure> & { code?: status }> {
  return step.then(
    () => Promise.reject(new Error("The step succeeded")),
    (error: unknown) => {
      if (!(error instanceof Error)) throw new Error("What was thrown is no error");
      return error;
    },
  );
}

const PROJECT = { name: "shop", organizationSlug: "acme", dbPass: "first-password", region: "eu-central-1" };

/** The paths at which the reasons begin. */
function pathsOf(failures: readonly { readonly reason: string }[]): string[] {
  return failures.map(({ reason }) => reason.split(": ")[0] ?? "").sort();
}

const secretsOf = (type: string): readonly string[] =>
  samples.find((sample) => sample.type === type)?.secrets ?? [];

describe("check", () => {
  it("reports every fault at once, each with the path of its property, and no secret", async () => {
    const plugin = await start("Project");
    const { failures } = await plugin.check({
      ...PROJECT,
      paused: "no",
      dbPass: secret("abc"),
      nmae: "shop",
    });
    expect(pathsOf(failures)).toEqual(["dbPass", "nmae", "paused"]);
    expect(failures.map(({ reason }) => reason)).toContain("nmae: unknown property; did you mean `name`?");
    expect(JSON.stringify(failures)).not.toContain("abc");
  });

  it("names a property below another as Pulumi writes paths", async () => {
    const plugin = await start("SsoProvider");
    const { failures } = await plugin.check({
      projectRef: "abcdefghijklmnopqrst",
      type: "saml",
      metadataUrl: "https://idp.example.com/metadata",
      attributeMapping: { keys: { "e.mail": { names: ["mail", 7] } } },
    });
    expect(pathsOf(failures)).toEqual(['attributeMapping.keys["e.mail"].names[1]']);
  });

  it("keeps the secret that a user makes of any property", async () => {
    const ref = scenario.healthyProject();
    const plugin = await start("ApiKey");
    const inputs = await checked(plugin, {
      projectRef: ref,
      type: "secret",
      name: "backend",
      description: secret("for the launch"),
    });
    expect(wrappedNames(inputs)).toEqual(["description"]);
    const made = await plugin.create(inputs);
    expect(wrappedNames(made.outs)).toEqual(["apiKey", "description"]);
    expect(wrappedNames((await plugin.create(inputs, { preview: true })).outs)).toContain("description");
  });

  it("knows every sentinel of the engine for what is not known yet", async () => {
    const plugin = await start("PostgresConfig");
    const { failures, inputs } = await plugin.check({
      projectRef: UNKNOWN,
      maxConnections: "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
      trackCommitTimestamp: "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
    });
    expect(failures).toEqual([]);
    expect(inputs).toMatchObject({
      projectRef: UNKNOWN,
      maxConnections: UNKNOWN,
      trackCommitTimestamp: UNKNOWN,
    });
  });

  it("refuses an asset with a word of what to give instead", async () => {
    const plugin = await start("Secret");
    const asset = { [SIGNATURE_KEY]: "c44067f5952c0a294b673a41bacd8c17", text: "x" };
    const error = await failureOf(plugin.check({ projectRef: UNKNOWN, name: "TOKEN", value: asset }));
    expect(error.message).toContain("pass its text");
    expect(error.code).toBe(status.INVALID_ARGUMENT);
  });
});

describe("a name that the program leaves out", () => {
  const { organizationSlug, dbPass, region } = PROJECT;
  const unnamed = { organizationSlug, dbPass, region };

  it("is made of the resource's name and something random, and stays as it is", async () => {
    const plugin = await start("Project");
    const inputs = await checked(plugin, unnamed);
    expect(inputs["name"]).toMatch(/^project-[\da-f]{7}$/);
    const later = await plugin.check(unnamed, inputs);
    expect(later.inputs["name"]).toBe(inputs["name"]);
    const made = await plugin.create(inputs);
    expect(scenario.emulator.control.call("listProjects", {})).toMatchObject([{ name: inputs["name"] }]);
    expect(await plugin.diff(made, later.inputs)).toMatchObject({ changes: false });
  });

  it("has the form that the service asks for", async () => {
    const plugin = await start("ApiKey");
    const inputs = await checked(plugin, { projectRef: UNKNOWN, type: "secret" });
    expect(inputs["name"]).toMatch(/^apikey_[\da-f]{7}$/);
  });

  it("follows the user's own rules of naming", async () => {
    const plugin = await start("Project");
    const { Mode } = proto.CheckRequest.AutonamingOptions;
    const naming = (mode: 0 | 1 | 2, proposed: string): proto.CheckRequest.AutonamingOptions => {
      const options = new proto.CheckRequest.AutonamingOptions();
      options.setMode(mode);
      options.setProposedName(proposed);
      return options;
    };
    const proposed = await plugin.check(unnamed, {}, naming(Mode.PROPOSE, "team-app-1f"));
    expect(proposed.inputs["name"]).toBe("team-app-1f");
    const enforced = await plugin.check(unnamed, {}, naming(Mode.ENFORCE, "exactly-this"));
    expect(enforced.inputs["name"]).toBe("exactly-this");
    const disabled = await plugin.check(unnamed, {}, naming(Mode.DISABLE, ""));
    expect(pathsOf(disabled.failures)).toEqual(["name"]);
  });

  it("lets a replacement be made before the old one goes, which a fixed name does not", async () => {
    const plugin = await start("Project");
    const consenting = { ...unnamed, deletionProtection: false };
    const made = await plugin.create(await checked(plugin, consenting));
    const inputs = await checked(plugin, { ...consenting, region: "us-east-1" }, made.outs);
    expect(await plugin.diff(made, inputs)).toMatchObject({
      replaces: ["region"],
      deleteBeforeReplace: false,
    });
    const fixed = await checked(plugin, { ...PROJECT, region: "us-east-1", name: String(inputs["name"]) });
    expect(await plugin.diff(made, fixed)).toMatchObject({ replaces: ["region"], deleteBeforeReplace: true });
  });
});

describe("diff", () => {
  async function differences(type: string, before: Values, now: Values) {
    const plugin = await start(type);
    const made = await plugin.create(await checked(plugin, before));
    return plugin.diff(made, await checked(plugin, now));
  }

  it("names what is added, changed and removed by its exact path, and says update", async () => {
    const projectRef = scenario.healthyProject();
    const base = { projectRef, type: "saml", metadataUrl: "https://idp.example.com/metadata" };
    const found = await differences(
      "SsoProvider",
      {
        ...base,
        domains: ["b.example.com", "a.example.com"],
        attributeMapping: { keys: { email: { name: "mail" }, "phone.work": { names: ["tel", "phone"] } } },
      },
      {
        ...base,
        domains: ["b.example.com", "c.example.com"],
        attributeMapping: { keys: { email: { name: "e-mail" }, "phone.work": { names: ["tel"] } } },
        nameIdFormat: "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent",
      },
    );
    expect(found).toMatchObject({ changes: true, replaces: [], deleteBeforeReplace: false });
    expect(found.detailed).toEqual({
      "attributeMapping.keys.email.name": "UPDATE",
      'attributeMapping.keys["phone.work"].names[1]': "DELETE",
      "domains[1]": "UPDATE",
      nameIdFormat: "ADD",
    });
  });

  it("says replace for what cannot change in place, deleting first where the name is fixed", async () => {
    const projectRef = scenario.healthyProject();
    const found = await differences(
      "Secret",
      { projectRef, name: "TOKEN", value: "one" },
      { projectRef, name: "OTHER", value: "two" },
    );
    expect(found).toMatchObject({ changes: true, replaces: ["name"], deleteBeforeReplace: true });
    expect(found.detailed).toEqual({ name: "UPDATE_REPLACE", value: "UPDATE" });
  });

  it("shows a file of a function by its path", async () => {
    const projectRef = scenario.healthyProject();
    const base = { projectRef, slug: "hello" };
    const found = await differences(
      "EdgeFunction",
      { ...base, files: { "index.ts": "1" } },
      { ...base, files: { "index.ts": "2", "lib/text.ts": "3" } },
    );
    expect(found.detailed).toEqual({
      'files["index.ts"]': "UPDATE",
      'files["lib/text.ts"]': "ADD",
      sourceHash: "UPDATE",
    });
  });

  it("names no property where only the settling is missing", async () => {
    scenario.emulator.control.addFault({ operation: "getHealth", status: 403, times: 50 });
    const plugin = await start("Project");
    const inputs = await checked(plugin, PROJECT);
    const { id = "", properties = {} } = await failureOf(plugin.create(inputs));
    expect(await plugin.diff({ id, outs: properties }, inputs)).toMatchObject({
      changes: true,
      detailed: {},
    });
  });
});

describe("a preview", () => {
  it("of a create asks nobody, and knows the inputs only", async () => {
    const plugin = await start("Project");
    const inputs = await checked(plugin, PROJECT);
    const { id, outs } = await plugin.create(inputs, { preview: true });
    expect(id).toBe("");
    expect(inClear(outs)).toMatchObject({ ...PROJECT, ref: UNKNOWN, status: UNKNOWN, database: UNKNOWN });
    expect(wrappedNames(outs)).toEqual(secretsOf("Project"));
    expect(scenario.calls()).toBe(0);
  });

  it("marks a secret output as one before it is known", async () => {
    const plugin = await start("ApiKey");
    const inputs = await checked(plugin, { projectRef: UNKNOWN, type: "secret", name: "backend" });
    const { outs } = await plugin.create(inputs, { preview: true });
    expect(wrappedNames(outs)).toEqual(["apiKey"]);
  });

  it("of an update keeps what cannot change and does not guess the rest", async () => {
    const ref = scenario.healthyProject();
    const plugin = await start("ApiKey");
    const declared = { projectRef: ref, type: "secret", name: "backend", description: "one" };
    const made = await plugin.create(await checked(plugin, declared));
    const calls = scenario.calls();
    const inputs = await checked(plugin, { ...declared, description: "two" });
    const { outs } = await plugin.update(made, inputs, { preview: true });
    expect(inClear(outs)).toMatchObject({
      description: "two",
      apiKey: inClear(made.outs)["apiKey"],
      createdAt: made.outs["createdAt"],
      updatedAt: UNKNOWN,
    });
    expect((await plugin.diff(made, inputs)).stables).toEqual(
      expect.arrayContaining(["apiKey", "createdAt"]),
    );
    expect(scenario.calls()).toBe(calls);
  });

  it("of what a project reads beside knows its keys only later", async () => {
    const plugin = await start("Project");
    const made = await plugin.create(await checked(plugin, PROJECT));
    const calls = scenario.calls();
    const inputs = await checked(plugin, { ...PROJECT, withKeys: true });
    const { outs } = await plugin.update(made, inputs, { preview: true });
    expect(inClear(outs)).toMatchObject({ ref: made.id, publishableKey: UNKNOWN, secretKey: UNKNOWN });
    expect(wrappedNames(outs)).toEqual(secretsOf("Project"));
    expect(await plugin.diff(made, inputs)).toMatchObject({ changes: true, replaces: [] });
    expect(scenario.calls()).toBe(calls);
  });

  it("says of what cannot be compared that it is recorded, not sent, where the object may exist or does", async () => {
    const ref = scenario.healthyProject("shop");
    const plugin = await start("Project");
    const told = (): number =>
      plugin.lines.filter((line) => line.includes("`dbPass`: recorded, not sent")).length;
    const adopting = { ...PROJECT, name: "shop", adopt: true };
    await plugin.create(await checked(plugin, adopting), { preview: true });
    await waitUntil("the preview tells it", () => told() >= 1);
    expect(plugin.lines.join("\n")).toContain("If it exists, `dbPass`: recorded, not sent");
    const { id, outs, inputs = {} } = await plugin.import(ref);
    const { dbPass } = PROJECT;
    const declared = await checked(plugin, { ...inputs, dbPass }, inputs);
    expect(await plugin.diff({ id, outs }, declared)).toMatchObject({
      changes: true,
      replaces: [],
      detailed: { dbPass: "ADD" },
    });
    await waitUntil("the import tells it", () => told() >= 2);
    expect(told()).toBe(2);
  });

  it("of what the clock makes due shows which outputs will be others", async () => {
    const ref = scenario.healthyProject();
    const plugin = await start("LoginRole");
    const inputs = await checked(plugin, { projectRef: ref, readOnly: true });
    const made = await plugin.create(inputs);
    expect(await plugin.diff(made, inputs)).toMatchObject({ changes: false, detailed: {} });
    scenario.clock.advance(5 * 60_000);
    const calls = scenario.calls();
    expect(await plugin.diff(made, inputs)).toMatchObject({
      changes: true,
      replaces: [],
      detailed: { "output role": "UPDATE", "output password": "UPDATE", "output expiresAt": "UPDATE" },
    });
    const { outs } = await plugin.update(made, inputs, { preview: true });
    expect(inClear(outs)).toMatchObject({ role: UNKNOWN, password: UNKNOWN, expiresAt: UNKNOWN });
    expect(wrappedNames(outs)).toEqual(["password"]);
    expect(scenario.calls()).toBe(calls);
  });

  it("of a change of the provider's own options keeps every output", async () => {
    const ref = scenario.healthyProject();
    const plugin = await start("ApiKey");
    const declared = { projectRef: ref, type: "secret", name: "backend" };
    const made = await plugin.create(await checked(plugin, declared));
    const inputs = await checked(plugin, { ...declared, reason: "rotated" });
    const { outs } = await plugin.update(made, inputs, { preview: true });
    expect(Object.values(inClear(outs))).not.toContain(UNKNOWN);
  });
});

describe("customTimeouts", () => {
  it("limit a step in seconds", async () => {
    scenario.emulator.control.addFault({ operation: "getHealth", status: 503, times: 10_000 });
    const plugin = await start("Project");
    const begun = scenario.clock.now();
    const error = await failureOf(plugin.create(await checked(plugin, PROJECT), { timeout: 90 }));
    expect(error.id).toMatch(/^[a-z]{20}$/);
    expect(scenario.clock.now() - begun).toBeGreaterThan(30_000);
    expect(scenario.clock.now() - begun).toBeLessThanOrEqual(120_000);
  });
});

describe("a create that fails once the id is known", () => {
  it("carries the half-made resource, secrets wrapped, and is resumed by an update", async () => {
    scenario.emulator.control.addFault({ operation: "getHealth", status: 403, times: 50 });
    const plugin = await start("Project");
    const inputs = await checked(plugin, PROJECT);
    const failure = await failureOf(plugin.create(inputs));
    const [project] = scenario.emulator.control.call("listProjects", {});
    const { id = "", properties = {}, reasons } = failure;
    expect(id).toBe(project?.ref);
    expect(reasons).toEqual([failure.message]);
    expect(wrappedNames(properties)).toEqual(["dbPass"]);
    expect(JSON.stringify(inSight(properties))).not.toContain("first-password");

    scenario.emulator.control.clearFaults();
    const next = await start("Project");
    const resumed = await next.update({ id, outs: properties }, inputs);
    expect(await next.diff(resumed, inputs)).toMatchObject({ changes: false });
    expect(scenario.emulator.control.call("listProjects", {})).toHaveLength(1);
  });

  it("is kept when the run is cancelled while it settles", async () => {
    const plugin = await start("Project");
    const inputs = await checked(plugin, PROJECT);
    scenario.emulator.control.addFault({ operation: "getHealth", status: 503, times: 10_000 });
    const creating = failureOf(plugin.create(inputs));
    await waitUntil("the health is asked for", () => scenario.calls("getHealth") > 0);
    await plugin.cancel();
    const { id = "", properties = {}, message } = await creating;
    expect(message).toContain("cancelled");
    scenario.emulator.control.clearFaults();
    const next = await start("Project");
    const resumed = await next.update({ id, outs: properties }, inputs);
    expect(await next.diff(resumed, inputs)).toMatchObject({ changes: false });
    expect(scenario.emulator.control.call("listProjects", {})).toHaveLength(1);
  });

  it("is not begun in a run that was cancelled before", async () => {
    const plugin = await start("Project");
    const inputs = await checked(plugin, PROJECT);
    await plugin.cancel();
    const error = await failureOf(plugin.create(inputs));
    expect(error).toMatchObject({ code: status.CANCELLED });
    expect(error.id).toBeUndefined();
    expect(scenario.emulator.control.call("listProjects", {})).toEqual([]);
  });
});

describe("progress", () => {
  it("stands on the resource's own row, and only warnings stay", async () => {
    const plugin = await start("Project");
    await plugin.create(await checked(plugin, PROJECT));
    expect(plugin.rows.length).toBeGreaterThan(0);
    expect(new Set(plugin.rows.map(({ urn }) => urn))).toEqual(new Set([plugin.urn]));
    expect(plugin.rows.every(({ isEphemeral }) => isEphemeral)).toBe(true);
    expect(plugin.rows.map(({ message }) => message).join("\n")).not.toMatch(/^Project shop/m);
  });
});

/** Types with an input that the service shows at most by its hash, of which an import tells. */
const HIDING = [
  ...["Branch", "OrganizationWebhookEndpoint", "Project", "Secret", "SigningKey", "VaultSecret"],
  "WebhookEndpoint",
];

/** In the program that `pulumi import` writes, empty text stands for what is required and was not shown. */
const GENERATED: Readonly<Record<string, Values>> = {
  Secret: { value: "" },
  VaultSecret: { value: "" },
};

/** The state after the line that a refused delete names. */
async function unprotected(plugin: PluginProcess, made: InState, inputs: Values): Promise<Values> {
  const refusal = await failureOf(plugin.delete(made));
  expect(refusal.message).toContain("declare `deletionProtection: false`, run `pulumi up`, then destroy");
  const off = await checked(plugin, { ...inputs, deletionProtection: false }, inputs);
  expect(await plugin.diff(made, off)).toMatchObject({ detailed: { deletionProtection: "ADD" } });
  return (await plugin.update(made, off)).outs;
}

const importable = samples.filter((sample) => resourceOf(sample).importId.refusal === undefined);

describe.each(importable.map((sample) => [sample.type, sample] as const))(
  "an import of %s",
  (type, sample) => {
    let ref: string;
    let made: InState;
    let importId: string;
    const parent = (): string => {
      const { projectRef = "", organizationSlug = projectRef } = sample.inputs(ref);
      return String(organizationSlug);
    };

    beforeEach(async () => {
      ref = sample.needsProject ? scenario.healthyProject() : "";
      sample.prepare?.(scenario, ref);
      const plugin = await start(type);
      made = await plugin.create(await checked(plugin, { ...sample.inputs(ref), ...sample.secretInputs }));
      sample.afterCreate?.(scenario, ref);
      const format = allResources().find((resource) => resource.type === type)?.importId.format ?? "";
      importId =
        sample.importId?.(sample.inputs(ref)) ?? (format.includes("/") ? `${parent()}/${made.id}` : made.id);
    });

    it("finds the resource by its documented id, with inputs that pass check and show no diff", async () => {
      const plugin = await start(type);
      const { id, outs, inputs = {} } = await plugin.import(importId);
      expect(id).toBe(made.id);
      expect(await plugin.diff({ id, outs }, await checked(plugin, inputs, inputs))).toMatchObject({
        changes: false,
        detailed: {},
      });
      const generated = { ...inputs, ...GENERATED[type] };
      expect(await plugin.diff({ id, outs }, await checked(plugin, generated, inputs))).toMatchObject({
        changes: false,
      });
      expect(wrappedPaths(outs)).toEqual(secretsInState(sample, outs));
      await plugin.delete({
        id,
        outs: type === "Project" ? await unprotected(plugin, { id, outs }, inputs) : outs,
      });
    });

    it("is looked up by a program that does not manage it, without a word of what is hidden", async () => {
      const plugin = await start(type);
      const looked = await plugin.get(importId);
      expect(looked.id).toBe(made.id);
      expect(plugin.lines.filter((line) => line.includes("does not return"))).toEqual([]);
      const imported = await plugin.import(importId);
      const {
        __record: record,
        __takenOver,
        __service,
        ...outs
      } = inClear(imported.outs) as Record<string, unknown>;
      const seen = inClear(looked.outs) as Record<string, unknown>;
      // What only a program that manages it declares, an import asks for beside.
      const { files, sourceHash, ...others } = outs;
      expect({ ...others, __declared: seen["__declared"] }).toEqual(seen);
      expect([files, sourceHash]).toEqual(
        type === "EdgeFunction"
          ? [sample.inputs(ref)["files"], made.outs["sourceHash"]]
          : [undefined, undefined],
      );
      // What is imported is this program's from now on.
      expect([record, __takenOver, __service]).toEqual([expect.any(String), true, scenario.emulator.url]);
      const told = (): string[] => plugin.lines.filter((line) => line.includes("does not return"));
      // A line is on its way to the engine while the answer is.
      if (HIDING.includes(type)) await waitUntil("the import tells what is hidden", () => told().length > 0);
      expect(told()).toHaveLength(HIDING.includes(type) ? 1 : 0);
    });

    it("fails for an id of another form, and names the right one", async () => {
      const plugin = await start(type);
      const { format } = allResources().find((resource) => resource.type === type)?.importId ?? {
        format: "?",
      };
      const error = await failureOf(plugin.import(format.includes("/") ? "no-slash" : "One/Two"));
      expect(error.code).toBe(status.INVALID_ARGUMENT);
      expect(error.message).toContain(format);
    });

    it("finds nothing where nothing is", async () => {
      const plugin = await start(type);
      const nowhere = "zzzzzzzzzzzzzzzzzzzz";
      const missing = await plugin.import(
        sample.importId?.(sample.inputs(nowhere)) ??
          (importId.includes("/") ? `${parent()}/${nowhere}` : nowhere),
      );
      expect(missing).toEqual({ id: "", outs: {}, inputs: undefined });
    });
  },
);

describe("configuration", () => {
  it("is judged before anything is planned with it: misspelt, malformed and missing settings", async () => {
    const plugin = await start("Project", { env: {}, config: undefined });
    const misspelt = await plugin.checkConfig({ baseUrll: "https://api.example.com", accessToken: "" });
    expect(pathsOf(misspelt.failures)).toEqual(["accessToken", "baseUrll"]);
    const missing = await plugin.checkConfig({});
    expect(pathsOf(missing.failures)).toEqual(["accessToken", "baseUrl"]);
    const unsafe = await plugin.checkConfig({ baseUrl: "http://api.example.com", accessToken: "pat_x" });
    expect(pathsOf(unsafe.failures)).toEqual(["baseUrl"]);
    expect(JSON.stringify([misspelt, missing, unsafe].map(({ failures }) => failures))).not.toContain(
      "pat_x",
    );
    const fine = await plugin.checkConfig({ baseUrl: "https://api.example.com", accessToken: "pat_x" });
    expect(fine.failures).toEqual([]);
    expect(wrappedNames(fine.inputs)).toEqual(["accessToken"]);
    const later = await plugin.checkConfig({ baseUrl: UNKNOWN, version: "1.2.3" });
    expect(later.failures).toEqual([]);
  });

  it("that changes updates the provider and never replaces it, and so none of its resources", async () => {
    const plugin = await start("Project");
    const { failures } = await plugin.checkConfig({});
    expect(failures).toEqual([]);
    const before = { baseUrl: "https://one.example.com", accessToken: secret("pat_1") };
    const changed = { baseUrl: "https://two.example.com", accessToken: secret("pat_2") };
    expect(await plugin.diffConfig(before, changed)).toEqual({
      changes: true,
      replaces: [],
      diffs: expect.arrayContaining(["baseUrl", "accessToken"]) as string[],
      detailed: { baseUrl: "UPDATE", accessToken: "UPDATE" },
    });
    expect(await plugin.diffConfig(before, before)).toMatchObject({ changes: false });
  });

  it("reaches the service, the environment first", async () => {
    const ref = scenario.healthyProject();
    const { url, accessToken } = scenario.emulator;
    const key = { projectRef: ref, type: "publishable", name: "website" };
    const config = { "management:baseUrl": url, "management:accessToken": accessToken };
    const configured = await start("ApiKey", { env: {}, config });
    await configured.create(await checked(configured, key));
    const overridden = await start("ApiKey", { env: { MANAGEMENT_ACCESS_TOKEN: "pat_wrong" }, config });
    const error = await failureOf(overridden.create(await checked(overridden, { ...key, name: "other" })));
    expect(error.message).toContain("401");
    expect(error.message).not.toContain("pat_wrong");
  });
});

describe("an error", () => {
  it("shows neither a secret nor the token, whatever the service repeats", async () => {
    const ref = scenario.healthyProject();
    const plugin = await start("Secret");
    const { accessToken } = scenario.emulator;
    const message = `cannot take a-secret-value of ${accessToken}`;
    scenario.emulator.control.addFault({ operation: "createSecrets", status: 400, message, times: 20 });
    const inputs = await checked(plugin, { projectRef: ref, name: "TOKEN", value: secret("a-secret-value") });
    const error = await failureOf(plugin.create(inputs));
    expect(error.message).toContain("[secret]");
    for (const hidden of ["a-secret-value", accessToken]) expect(error.message).not.toContain(hidden);
  });

  it("names Postgres, though a connection string in the state does as well", async () => {
    const ref = scenario.healthyProject();
    const plugin = await start("Project");
    const message = "Postgres config not found";
    scenario.emulator.control.addFault({ operation: "getProject", status: 400, message, times: 20 });
    const connectionString = secret(
      `postgresql://postgres:swordfish@db.${ref}.service.example:5432/postgres`,
    );
    const error = await failureOf(plugin.read({ id: ref, inputs: {}, outs: { ref, connectionString } }));
    expect(error.message).toContain(message);
  });

  it("names the types that there are for one that there is not", async () => {
    const plugin = await start("Projekt");
    const error = await failureOf(plugin.check(PROJECT));
    expect(error.message).toContain("Projekt");
    expect(error.message).toContain("EdgeFunction");
  });
});

describe("the plan of a provider whose settings change", () => {
  it("names each setting, as the values of two secrets are shown alike", async () => {
    const plugin = await start("Project");
    const before = { baseUrl: "https://api.example.com", accessToken: "pat_1", clientId: "app" };
    const now = { baseUrl: "https://api.example.com", accessToken: "pat_2", refreshToken: "first" };
    const { replaces, detailed } = await plugin.diffConfig(before, now);
    expect(replaces).toEqual([]);
    expect(detailed).toEqual({ accessToken: "UPDATE", clientId: "DELETE", refreshToken: "ADD" });
    expect((await plugin.diffConfig(before, before)).detailed).toEqual({});
  });
});
