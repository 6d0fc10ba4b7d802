import { generateKeyPairSync } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { UNKNOWN } from "../../provider/lifecycle/unknown";
import type { State } from "../../emulator/state";
import * as management from "../../provider";
import type { Values } from "../../provider/lifecycle/state";
import type { OperationName } from "../../spec/table";
import { samples } from "../lifecycle/samples";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { inClear, inSight, wrappedNames, wrappedTexts } from "./engine-values";
import {
  providerSource,
  startProviderProcess,
  type InState,
  type ProcessOptions,
  type ProviderProcess,
  type StepFailure,
} from "./provider-process";

/** The properties that hold a secret, named once more by hand. */
const SECRETS: Readonly<Record<string, readonly string[]>> = {
  Project: ["dbPass"],
  Branch: ["jwtSecret", "password", "secrets"],
  SigningKey: ["privateJwk"],
  ApiKey: ["apiKey"],
  Secret: ["value"],
};

const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const PRIVATE_JWK = { ...privateKey.export({ format: "jwk" }) };

/** The secret inputs that the samples leave out. */
const SECRET_INPUTS: Readonly<Record<string, Values>> = {
  Branch: { secrets: { PAYMENT_TOKEN: "the-branch's-own-token" } },
  SigningKey: { privateJwk: PRIVATE_JWK },
};

/** A change that somebody makes on the service, past this provider. */
const BY_HAND: Readonly<Record<string, (state: State, ref: string) => void>> = {
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

let scenario: Scenario;
const processes: ProviderProcess[] = [];

beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(async () => {
  for (const each of processes.splice(0)) await each.close();
  await scenario.close();
});

/** The provider process of the next `pulumi` command. */
function nextProcess(type: string, options?: ProcessOptions): ProviderProcess {
  const started = startProviderProcess(scenario, type, options);
  processes.push(started);
  return started;
}

async function checked(provider: ProviderProcess, inputs: Values): Promise<Values> {
  const result = await provider.check(inputs);
  expect(result.failures).toEqual([]);
  return result.inputs;
}

async function failureOf(step: Promise<unknown>): Promise<Error & Partial<StepFailure>> {
  return step.then(
    () => Promise.reject(new Error("The step succeeded")),
    (error: unknown) => {
      if (!(error instanceof Error)) throw new Error("What was thrown is no error");
      return error;
    },
  );
}

/** As a DNS provider does with the records that the service asks for. */
function publishDnsRecords(ref: string): void {
  const { data } = scenario.emulator.control.call("getCustomHostname", { ref });
  const { ownership_verification: owner, ssl } = data.result;
  scenario.emulator.control.edit(({ dnsTxt }) => {
    dnsTxt.set(owner.name, [owner.value]);
    for (const record of ssl.validation_records) dnsTxt.set(record.txt_name, [record.txt_value]);
  });
}

describe.each(samples.map((sample) => [sample.type, sample] as const))("%s", (type, sample) => {
  let ref: string;
  beforeEach(() => {
    ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
  });

  const declared = (): Values => ({ ...sample.inputs(ref), ...SECRET_INPUTS[type] });
  const changed = (): Values => ({ ...sample.changed(ref), ...SECRET_INPUTS[type] });
  const shown = (): unknown[] => sample.onService(scenario, ref);
  const declaredSecrets = (SECRETS[type] ?? []).filter((name) => name in declared());

  it("goes through its life with the values that the engine passes", async () => {
    const first = nextProcess(type);
    const inputs = await checked(first, declared());
    const made = await first.create(inputs);
    expect(shown()).toHaveLength(1);

    const second = nextProcess(type);
    const same = await second.read(made);
    expect(same.id).toBe(made.id);
    expect(inClear(same.outs)).toEqual(inClear(made.outs));
    expect(await second.diff(same, inputs)).toMatchObject({ changes: false, replaces: [] });

    if (type === "CustomHostname") publishDnsRecords(ref);
    const third = nextProcess(type);
    const changedInputs = await checked(third, changed());
    expect(await third.diff(same, changedInputs)).toMatchObject({ changes: true, replaces: [] });
    const updated = await third.update(same, changedInputs);
    expect(shown().map(sample.isChanged)).toEqual([true]);
    expect(await third.diff(updated, changedInputs)).toMatchObject({ changes: false });

    scenario.emulator.control.edit((state) => BY_HAND[type]?.(state, ref));
    const fourth = nextProcess(type);
    const drifted = await fourth.read(updated);
    expect(await fourth.diff(drifted, changedInputs)).toMatchObject({ changes: true, replaces: [] });
    expect(drifted.inputs).not.toEqual(updated.outs);
    const repaired = await nextProcess(type).update(drifted, changedInputs);
    expect(shown().map(sample.isChanged)).toEqual([true]);

    await nextProcess(type).delete(repaired);
    expect(shown()).toEqual([]);
    const gone = await nextProcess(type).read(repaired);
    // A configuration is always there: deleting it restores what it was.
    expect(gone.id).toBe(type === "PostgresConfig" ? made.id : "");
    await nextProcess(type).delete(repaired);
  });

  it("hands out every secret wrapped, and none in clear", async () => {
    const provider = nextProcess(type);
    const { inputs } = await provider.check(declared());
    const made = await provider.create(inputs);
    const read = await provider.read(made);
    if (type === "CustomHostname") publishDnsRecords(ref);
    const updated = await provider.update(read, (await provider.check(changed())).inputs);

    expect(wrappedNames(inputs)).toEqual(declaredSecrets);
    expect(wrappedNames(read.inputs ?? {})).toEqual(declaredSecrets);
    for (const { outs } of [made, read, updated]) expect(wrappedNames(outs)).toEqual(SECRETS[type] ?? []);

    const secrets = [inputs, made.outs, read.outs, updated.outs].flatMap(wrappedTexts);
    const inPlainSight = JSON.stringify(
      [inputs, made.outs, read.outs, read.inputs, updated.outs].map((one) => inSight(one ?? {})),
    );
    // A key's kind, curve and point stand in its public half as well.
    const { kty, crv, x, y } = PRIVATE_JWK;
    const open = [kty, crv, x, y];
    for (const secret of secrets.filter((text) => !open.includes(text))) {
      expect({ secret, isShown: inPlainSight.includes(secret) }).toEqual({ secret, isShown: false });
    }
  });

  it("answers an update with everything that a read answers", async () => {
    const provider = nextProcess(type);
    const made = await provider.create(await checked(provider, declared()));
    if (type === "CustomHostname") publishDnsRecords(ref);
    const updated = await nextProcess(type).update(made, await checked(provider, changed()));
    const read = await nextProcess(type).read(updated);
    expect(inClear(updated.outs)).toEqual(inClear(read.outs));
    expect(Object.keys(updated.outs)).toEqual(expect.arrayContaining(Object.keys(made.outs)));
  });

  it("neither judges nor equates in a preview what is known only later", async () => {
    const provider = nextProcess(type);
    const made = await provider.create(await checked(provider, declared()));
    const calls = scenario.calls();
    for (const name of Object.keys(declared())) {
      const inputs = await checked(provider, { ...declared(), [name]: UNKNOWN });
      expect(inClear(inputs)).toMatchObject({ [name]: UNKNOWN });
      const { changes } = await provider.diff(made, inputs);
      expect({ name, changes }).toEqual({ name, changes: true });
    }
    expect(scenario.calls()).toBe(calls);
  });

  it("registers the words by which state finds its provider, which never change, under Pulumi's mocks too", async () => {
    const { __provider, __owner } = await registered(type, declared());
    expect(__provider).toBe(
      `exports.handler = () => require("pulumi-management/dynamic").provider("${type}")`,
    );
    expect(__owner).toBe("organization/shop/test/one");
  });
});

/** What a program's unit test registers with a resource of this type. */
async function registered(type: string, inputs: Values): Promise<Values> {
  let given: Values = {};
  const mocks: pulumi.runtime.Mocks = {
    newResource: (args) => {
      // The SDK types the properties of a resource as `any`.
      given = args.inputs as Values;
      return { id: "any", state: given };
    },
    call: () => ({}),
  };
  await pulumi.runtime.setMocks(mocks, "shop", "test");
  const Class: unknown = Reflect.get(management, type);
  if (typeof Class !== "function") throw new Error(`No class ${type} is exported`);
  const resource: unknown = Reflect.construct(Class, ["one", inputs]);
  if (!(resource instanceof pulumi.CustomResource)) throw new Error(`${type} is no resource`);
  await new Promise((resolve) => resource.id.apply(resolve));
  return given;
}

describe("a create that fails once the id is known", () => {
  it("carries id, properties and reasons, secrets wrapped, and is resumed by an update", async () => {
    scenario.emulator.control.addFault({ operation: "getHealth", status: 403, times: 50 });
    const provider = nextProcess("Project");
    const inputs = await checked(provider, samples[0]?.inputs("") ?? {});
    const failure = await failureOf(provider.create(inputs));
    const [project] = scenario.emulator.control.call("listProjects", {});

    expect(failure.id).toBe(project?.ref);
    expect(failure.reasons).toEqual([failure.message]);
    const { properties = {} } = failure;
    expect(properties).toMatchObject({ __provider: providerSource("Project"), __pending: true });
    expect(wrappedNames(properties)).toEqual(["dbPass"]);
    expect(JSON.stringify(inSight(properties))).not.toContain("first-password");

    scenario.emulator.control.clearFaults();
    const half: InState = { id: failure.id ?? "", outs: properties };
    const next = nextProcess("Project");
    expect(await next.diff(half, inputs)).toMatchObject({ changes: true, replaces: [] });
    const resumed = await next.update(half, inputs);
    expect(await next.diff(resumed, inputs)).toMatchObject({ changes: false });
    expect(scenario.emulator.control.call("listProjects", {})).toHaveLength(1);
  });
});

describe("an error", () => {
  const inputs = (ref: string): Values => ({
    projectRef: ref,
    name: "PAYMENT_TOKEN",
    value: "a-secret-value",
  });

  it("of any step shows neither a secret nor the token, nor where in the code it arose", async () => {
    const ref = scenario.healthyProject();
    const provider = nextProcess("Secret");
    const made = await provider.create(await checked(provider, inputs(ref)));
    const { accessToken } = scenario.emulator;
    const base64 = Buffer.from("a-secret-value").toString("base64");
    const message = `cannot take a-secret-value (${base64}) of ${accessToken}`;
    const steps: readonly [OperationName, (one: ProviderProcess) => Promise<unknown>][] = [
      ["createSecrets", async (one) => one.create(await checked(one, { ...inputs(ref), name: "OTHER" }))],
      ["listSecrets", (one) => one.read(made)],
      [
        "createSecrets",
        async (one) => one.update(made, await checked(one, { ...inputs(ref), value: "another-value" })),
      ],
      ["deleteSecrets", (one) => one.delete(made)],
    ];
    for (const [operation, step] of steps) {
      scenario.emulator.control.addFault({ operation, status: 400, message, times: 20 });
      const error = await failureOf(step(nextProcess("Secret")));
      scenario.emulator.control.clearFaults();
      expect(error.message).toContain("[secret]");
      const said = `${error.message} ${error.toString()} ${error.stack ?? ""}`;
      for (const secret of ["a-secret-value", base64, accessToken]) expect(said).not.toContain(secret);
      expect(said).not.toMatch(/\.[jt]s:\d+/);
      expect(error.id).toBeUndefined();
    }
  });

  it("of an input does not repeat a secret", async () => {
    const provider = nextProcess("Project");
    const { failures } = await provider.check({ ...samples[0]?.inputs(""), dbPass: "abc", nmae: "shop" });
    expect(failures.map(({ property }) => property).sort()).toEqual(["dbPass", "nmae"]);
    expect(JSON.stringify(failures)).not.toContain("abc");
  });
});

describe("configuration", () => {
  const keyOf = (ref: string): Values => ({ projectRef: ref, type: "publishable", name: "website" });

  it("is in force as soon as `configure` returns, without waiting", async () => {
    const ref = scenario.healthyProject();
    const { url, accessToken } = scenario.emulator;
    const config = { "management:baseUrl": url, "management:accessToken": accessToken };
    // The process does not await `configure` before the first step.
    const provider = nextProcess("ApiKey", { env: {}, config });
    const made = await provider.create(await checked(provider, keyOf(ref)));
    expect(scenario.emulator.control.call("listApiKeys", { ref }).map(({ id }) => id)).toContain(made.id);
  });

  it("that is not there yet when a read comes first is told in words, and the resource is not taken for gone", async () => {
    const ref = scenario.healthyProject();
    const made = await (async () => {
      const provider = nextProcess("ApiKey");
      return provider.create(await checked(provider, keyOf(ref)));
    })();
    const early = nextProcess("ApiKey", { env: {}, config: undefined });
    const error = await failureOf(early.read(made));
    expect(error.message).toContain("management:baseUrl");
    expect(error.message).toContain("MANAGEMENT_BASE_URL");
  });

  it("that is wrong is one failure of the first check, whatever the resource", async () => {
    const provider = nextProcess("ApiKey", {
      env: { MANAGEMENT_BASE_URL: scenario.emulator.url },
      config: {},
    });
    const failures = [
      await provider.check(keyOf("abcdefghijklmnopqrst")),
      await provider.check(keyOf("abcdefghijklmnopqrst")),
    ].flatMap((result) => result.failures);
    expect(failures).toMatchObject([{ property: "management:accessToken" }]);
  });
});
