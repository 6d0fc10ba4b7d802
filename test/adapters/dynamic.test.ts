import * as pulumi from "@pulumi/pulumi";
import * as management from "../../provider";
import type { Values } from "../../provider/define/values";
import type { OperationName } from "../../spec/table";
import { samples } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";
import { inSight, wrappedNames } from "../kit/engine-values";
import {
  providerSource,
  startProviderProcess,
  type InState,
  type ProcessOptions,
  type ProviderProcess,
  type StepFailure,
} from "../kit/provider-process";

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

describe.each(samples.map((sample) => [sample.type, sample] as const))("%s", (type, sample) => {
  it("registers the words by which state finds its provider, which never change, under Pulumi's mocks too", async () => {
    const { __provider, __owner } = await registered(type, {
      ...sample.inputs("abcdefghijklmnopqrst"),
      ...sample.secretInputs,
    });
    expect(__provider).toBe(
      `exports.handler = () => require("pulumi-management/dynamic").provider("${type}")`,
    );
    expect(__owner).toBe("organization/shop/test/one");
  });
});

it("tells resources of one name below components of different types apart, as their URNs do", async () => {
  const inputs = { projectRef: "abcdefghijklmnopqrst", name: "TOKEN", value: "a secret value" };
  const outer = (): pulumi.ComponentResource => new pulumi.ComponentResource("acme:index:Team", "team");
  const inner = (): pulumi.ComponentResource =>
    new pulumi.ComponentResource("acme:index:Service", "service", {}, { parent: outer() });
  const { __owner } = await registered("Secret", inputs, () => ({ parent: inner() }));
  expect(__owner).toBe("organization/shop/test/acme:index:Team$acme:index:Service$one");
});

it("says which inputs the program made secrets of, as the engine tells a dynamic provider none of it", async () => {
  const inputs = {
    projectRef: "abcdefghijklmnopqrst",
    type: "saml",
    metadataUrl: pulumi.interpolate`https://idp.example.com/${pulumi.secret("part")}`,
    domains: ["example.com", pulumi.secret("example.org")],
    attributeMapping: { keys: { email: { default: pulumi.secret("nobody") } } },
  };
  const { __secrets } = await registered("SsoProvider", inputs);
  expect(__secrets).toEqual(["attributeMapping", "domains", "metadataUrl"]);
  // What the schema says is secret is one without the program's doing.
  const declared = { projectRef: "abcdefghijklmnopqrst", name: "TOKEN", value: "plain" };
  expect(await registered("Secret", declared)).toMatchObject({ __secrets: ["value"] });
});

/** What a program's unit test registers with a resource of this type. */
async function registered(
  type: string,
  inputs: Values,
  options: () => pulumi.CustomResourceOptions = () => ({}),
): Promise<Values> {
  let given: Values = {};
  const mocks: pulumi.runtime.Mocks = {
    newResource: (args) => {
      // The SDK types the properties of a resource as `any`.
      const registered = args.inputs as Values;
      if (args.custom === true) given = registered;
      return { id: "any", state: registered };
    },
    call: () => ({}),
  };
  await pulumi.runtime.setMocks(mocks, "shop", "test");
  const Class: unknown = Reflect.get(management, type);
  if (typeof Class !== "function") throw new Error(`No class ${type} is exported`);
  const resource: unknown = Reflect.construct(Class, ["one", inputs, options()]);
  if (!(resource instanceof pulumi.CustomResource)) throw new Error(`${type} is no resource`);
  await new Promise((resolve) => resource.id.apply(resolve));
  return given;
}

it("regression: reads what `get` of a class names by an import id, and what is not there is gone", async () => {
  const ref = scenario.healthyProject();
  const body = { type: "secret", name: "backend" } as const;
  const made = scenario.emulator.control.call("createApiKey", { ref, body });
  const provider = nextProcess("ApiKey");
  const found = await provider.read({ id: `${ref}/${made.id}`, outs: {} });
  expect(found.id).toBe(made.id);
  expect(found.outs).toMatchObject({ projectRef: ref, name: "backend" });
  expect(wrappedNames(found.outs)).toEqual(["apiKey"]);
  // As a refresh reads it again.
  expect((await provider.read(found)).outs).toMatchObject({ name: "backend" });
  const missing = `${ref}/00000000-0000-4000-8000-000000000000`;
  expect((await provider.read({ id: missing, outs: {} })).id).toBe("");
});

it("regression: `import` is refused with the line that takes the object over", async () => {
  const args = { projectRef: "abcdefghijklmnopqrst", cidr: "10.0.0.0/8" };
  const importing = registered("AllowedCidr", args, () => ({ import: "abcdefghijklmnopqrst/10.0.0.0/8" }));
  await expect(importing).rejects.toThrow('add the input `adoptId: "10.0.0.0/8"`');
});

const projectSample = samples.find(({ type }) => type === "Project");

describe("a create that fails once the id is known", () => {
  it("carries id, properties and reasons, secrets wrapped, and is resumed by an update", async () => {
    scenario.emulator.control.addFault({ operation: "getHealth", status: 403, times: 50 });
    const provider = nextProcess("Project");
    const inputs = await checked(provider, projectSample?.inputs("") ?? {});
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

  it("is printed to the terminal once, whatever else fails", async () => {
    const printed: unknown[] = [];
    const printAsSdk = (text: string): void => {
      // oxlint-disable-next-line no-console -- as the SDK's dynamic provider does
      console.error(text);
    };
    const spy = jest.spyOn(console, "error").mockImplementation((text: unknown) => void printed.push(text));
    try {
      // As if in a process of its own.
      jest.resetModules();
      const fresh = jest.requireActual<typeof import("../kit/provider-process")>("../kit/provider-process");
      const one = fresh.startProviderProcess(scenario, "Secret", { env: { MANAGEMENT_ACCESS_TOKEN: "" } });
      processes.push(one);
      for (let index = 0; index < 3; index += 1) {
        const error = await failureOf(one.create(inputs("abcdefghijklmnopqrst")));
        printAsSdk(`${String(error)}: ${error.stack ?? ""}`);
        printAsSdk("something else");
      }
    } finally {
      spy.mockRestore();
    }
    const ours = "pulumi-management: the step failed; see the error of the resource";
    expect(printed).toEqual([ours, ...Array<string>(3).fill("something else")]);
  });

  it("of an input does not repeat a secret", async () => {
    const provider = nextProcess("Project");
    const { failures } = await provider.check({ ...projectSample?.inputs(""), dbPass: "abc", nmae: "shop" });
    expect(failures.map(({ reason }) => reason)).toEqual([
      "dbPass: the value is secret and not shown; at least 4 characters required",
      "nmae: unknown property; did you mean `name`?",
    ]);
    expect(JSON.stringify(failures)).not.toContain("abc");
  });
});

describe("what cannot be compared", () => {
  const TOLD = "`dbPass`: recorded, not sent";

  it("is said to be recorded, not sent: by the check of what may be adopted, by the adoption, and by the diff", async () => {
    scenario.healthyProject("shop");
    const { dbPass, ...without } = { ...projectSample?.inputs("") };
    const adopting = { ...without, adopt: true };
    const first = nextProcess("Project");
    await checked(first, { ...adopting, dbPass });
    expect(first.lines.join("\n")).toContain(`If it exists, ${TOLD}`);
    const made = await first.create(await checked(first, adopting));
    const later = nextProcess("Project");
    const declared = await checked(later, { ...adopting, dbPass });
    later.lines.splice(0);
    expect(await later.diff(made, declared)).toMatchObject({ changes: true, replaces: [] });
    expect(later.lines.join("\n")).toContain(TOLD);
  });

  it("keeps an adopted project from being replaced, in the diff", async () => {
    scenario.healthyProject("shop");
    const provider = nextProcess("Project");
    const adopting = { ...projectSample?.inputs(""), adopt: true };
    const made = await provider.create(await checked(provider, adopting));
    const moved = await checked(provider, { ...adopting, region: "us-east-1" });
    const error = await failureOf(provider.diff(made, moved));
    expect(error.message).toContain("declare `deletionProtection: false` without the change");
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
    expect(failures.map(({ reason }) => reason.slice(0, 41))).toEqual([
      "management:accessToken: The access token ",
    ]);
  });
});
