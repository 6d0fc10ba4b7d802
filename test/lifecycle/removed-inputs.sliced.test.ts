import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { allResources } from "../../provider/catalog/catalog";
import { listDifferingPaths } from "../../provider/define/compare";
import type { Context } from "../../provider/define/context";
import { listMarkedFields, isOptional, traitsOf, type FieldTraits } from "../../provider/define/markers";
import { findUnlisted } from "../../provider/define/open-values";
import type { AnyResource } from "../../provider/define/resource";
import { checkInputs } from "../../provider/engine/check";
import type { SettledResource } from "../../provider/engine/create/create";
import { createStepContext } from "../../provider/engine/step/runtime";
import type { Values } from "../../provider/define/values";
import { diffResource } from "../../provider/engine/diff";
import { shapeOf } from "../../spec/shape-of";
import { temporaryFolder } from "../kit/temporary-folder";
import { KINDS } from "../../provider/resources/analytics/log-drain/shapes";
import { PRIVATE_JWK } from "../../tools/fixtures/auth/signing-key";
import { resourceOf, samplesInTier, type Sample } from "../kit/samples";
import { startScenario, type Scenario } from "../kit/scenario";
import { createClaim, withId } from "../../provider/ledger/claim";

// Every optional input of every resource is taken out of its program. What the plan says of it, what the service has
// then, and what the next refresh shows must agree.

/** Options of every resource, and settings that this version does not have, of which the service takes no made-up one. */
const LEFT_OUT = new Set(["timeouts", "adopt", "adoptId", "extraSettings"]);

/** What a program declares with an input and without it, where that is more than the sample and the input itself. */
interface Given {
  /** What it is made with first, where the input is added by an update. */
  readonly first?: Values;
  readonly before?: Values;
  readonly after?: Values;
  readonly prepare?: (scenario: Scenario) => void;
}

type GivenInputs = Readonly<Record<string, Readonly<Record<string, Given>>>>;

const USER = "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50";
const METADATA_URL = "https://idp.example.com/other";
const JWKS_URL = "https://idp.example.com/jwks.json";
const folder = temporaryFolder("management-removed-inputs-");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
inFolder("index.ts", "export {};\n");
const entity = (id: string): string => `<EntityDescriptor entityID="https://idp.example.com/${id}"/>`;

const onNewerService = ({ emulator }: Scenario): void => emulator.control.set("newer", true);

const given = (ref: string): GivenInputs => ({
  ApiKey: { secretJwtTemplate: { before: { secretJwtTemplate: { role: "service_role" } } } },
  RealtimeConfig: { presenceEnabled: { prepare: onNewerService } },
  AuthConfig: {
    passkeyEnabled: { prepare: onNewerService },
    webAuthn: {
      before: { webAuthn: { rpId: "example.com", rpDisplayName: "Shop" } },
      prepare: onNewerService,
    },
    siteUrl: { before: { siteUrl: "https://shop.example.com" } },
    uriAllowList: { before: { uriAllowList: "https://shop.example.com" } },
    saml: { before: { saml: { enabled: true, externalUrl: "https://shop.example.com" } } },
    externalPhoneEnabled: {
      before: {
        externalPhoneEnabled: true,
        sms: { provider: "vendorA", vendorA: { accessKey: "key", originator: "Shop" } },
      },
    },
  },
  SigningKey: { privateJwk: { before: { privateJwk: PRIVATE_JWK } } },
  SsoProvider: {
    metadataUrl: { after: { metadataXml: entity("other") } },
    metadataXml: {
      before: { metadataUrl: undefined, metadataXml: entity("one") },
      after: { metadataUrl: METADATA_URL },
    },
    attributeMapping: { before: { attributeMapping: { keys: { email: { name: "mail" } } } } },
  },
  ThirdPartyAuth: {
    oidcIssuerUrl: { after: { jwksUrl: JWKS_URL } },
    jwksUrl: {
      before: { oidcIssuerUrl: undefined, jwksUrl: JWKS_URL },
      after: { oidcIssuerUrl: "https://idp.example.com" },
    },
    customJwks: {
      before: { oidcIssuerUrl: undefined, customJwks: { keys: [publicHalf(PRIVATE_JWK)] } },
      after: { oidcIssuerUrl: "https://idp.example.com" },
    },
  },
  LogDrain: Object.fromEntries(
    KINDS.map((kind) => {
      const other = kind === "webhook" ? "sentry" : "webhook";
      return [kind, { before: { webhook: undefined, [kind]: {} }, after: { [other]: {} } }];
    }),
  ),
  CustomHostname: { activate: { first: {}, before: { activate: true } } },
  Project: {
    confirm: { before: { confirm: "0123456789abcdef" } },
    paused: {
      before: { paused: true },
      prepare: ({ emulator }) => emulator.control.set("organizations.acme.plan", "free"),
    },
    dbPass: { after: { adopt: true } },
    regionSelection: { before: { region: undefined, regionSelection: { type: "smartGroup", code: "emea" } } },
    instanceSize: { before: { instanceSize: "small" } },
    postgresVersion: { before: { postgresVersion: 15 } },
  },
  JitUser: {
    userId: { after: { email: "ana@example.com" } },
    email: {
      before: { userId: undefined, email: "ana@example.com" },
      after: { userId: USER },
      prepare: ({ emulator }) => emulator.control.set("organizations.acme.plan", "team"),
    },
  },
  EdgeFunction: {
    sourceDir: {
      before: { files: undefined, sourceDir: folder },
      after: { files: { "index.ts": "export {};" } },
    },
    files: { after: { sourceDir: folder } },
    entrypointPath: { before: { entrypointPath: "index.ts" } },
    importMapPath: {
      before: { files: { "index.ts": "export {};", "map.json": "{}" }, importMapPath: "map.json" },
    },
    staticPatterns: { before: { staticPatterns: ["index.ts"] } },
  },
  FunctionSet: {
    configFile: {
      before: { configFile: inFolder("config.toml", "[functions.set-in]\nverify_jwt = true\n") },
    },
    only: { before: { only: ["set-in"] } },
    exclude: { before: { exclude: ["set-in"] } },
  },
  Migration: { accept: { before: { accept: ["20260101000000"] } } },
  MigrationSet: {
    rollbackTo: { before: { rollbackTo: "20260101000000" } },
    baseline: { before: { baseline: "none" } },
    accept: { before: { accept: ["20260101000000"] } },
    exclude: {
      before: { exclude: [".sql", ".down.sql"].map((end) => `20260101000000_create_notes${end}`) },
    },
  },
  SecretSet: {
    secrets: { after: { envFile: inFolder("one.env", "SET_HOST=one\n") } },
    envFile: {
      before: { envFile: inFolder("two.env", "SET_TWO=two\n") },
      after: { secrets: { SET_HOST: "first-host" } },
    },
  },
  BranchMerge: { confirm: { before: { confirm: "0123456789abcdef" } } },
  BranchPush: { confirm: { before: { confirm: "0123456789abcdef" } } },
  SqlScript: { readOnly: { before: { query: "select 1", onDelete: undefined, readOnly: true } } },
  NetworkBanRemoval: {
    ipv4Addresses: { after: { requesterIp: true } },
    databaseIdentifier: { before: { databaseIdentifier: ref } },
  },
});

/** Inputs that are not tried, and why. */
const NOT_TRIED: Readonly<Record<string, string>> = {
  "BranchMerge.migrationVersion":
    "needs a history of migrations; `triggers` stands for every input of an action",
  "BranchPush.migrationVersion": "as of BranchMerge",
  "BranchReset.migrationVersion": "as of BranchMerge",
};

/** Inputs of which the service shows nothing in a read: that they have gone shows at the object. */
const NOT_READ = new Set(["Migration.rollback", "Migration.via", "MigrationSet.via"]);

function publicHalf(key: Readonly<Record<string, unknown>>): Values {
  return without(key, "d");
}

function without(values: Values, name: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== name));
}

const CANDIDATES: readonly unknown[] = [
  true,
  false,
  2,
  30,
  4000,
  "text",
  "65MB",
  "61s",
  "2048",
  "https://example.com/x",
  "203.0.113.7",
  "203.0.113.0/24",
  "2001:db8::/32",
];

/** Some value that the schema takes and that is not the one which was found. */
function valueFor(schema: z.ZodType, found: unknown): unknown {
  const isNew = (value: unknown): boolean =>
    schema.safeParse(value).success &&
    findUnlisted(schema, value).length === 0 &&
    listDifferingPaths(schema, found, value).length > 0;
  const shape = shapeOf(schema);
  switch (shape.kind) {
    case "enum":
    case "literal":
      return shape.constants.find(isNew) ?? shape.constants[0];
    case "array":
      return [valueFor(shape.element, undefined)];
    case "record":
      return { NAME: valueFor(shape.values, undefined) };
    case "union":
      return shape.options.map((option) => valueFor(option, found)).find(isNew);
    case "object": {
      const below = typeof found === "object" && found !== null ? found : {};
      const fields = Object.entries(shape.fields).filter(([, field]) => traitsOf(field).textOf === undefined);
      return Object.fromEntries(
        fields.slice(0, 2).map(([key, field]) => [key, valueFor(field, Reflect.get(below, key))]),
      );
    }
    default:
      return CANDIDATES.find(isNew);
  }
}

interface Case {
  readonly first: Values;
  readonly before: Values;
  readonly after: Values;
}

function caseOf(sample: Sample, ref: string, name: string, field: z.ZodType, found: Values): Case {
  const base = sample.inputs(ref);
  const examples: Values = { ...sample.changed(ref), ...sample.secretInputs, ...base };
  const its = given(ref)[sample.type]?.[name];
  const before = present({
    ...base,
    ...(its?.before ?? { [name]: examples[name] ?? valueFor(field, found[name]) }),
  });
  return {
    first: its?.first === undefined ? before : base,
    before,
    after: present({ ...without(before, name), ...its?.after }),
  };
}

function present(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

interface Seen {
  /** The inputs as a read shows them. */
  readonly inputs: Values;
  readonly objects: readonly unknown[];
}

class Bench {
  constructor(
    private readonly scenario: Scenario,
    private readonly sample: Sample,
    private readonly ref: string,
  ) {}

  private get resource(): AnyResource {
    return resourceOf(this.sample);
  }

  /** The settings of a configuration before a program manages any. */
  found(): Promise<Values> {
    const { resource, ref } = this;
    if (!isReadable(resource)) return Promise.resolve({});
    return resource.readAll(
      createStepContext(this.scenario.runtime, resource, "read", { projectRef: ref }),
      ref,
    );
  }

  /** Throws where plan, service and refresh do not agree. */
  async takeOut(name: string, traits: FieldTraits, { first, before, after }: Case): Promise<void> {
    const { scenario, resource, sample, ref } = this;
    expect(before).toHaveProperty(name);
    const managed = scenario.manage(resource);
    let made = await managed.create(first);
    sample.afterCreate?.(scenario, ref);
    if (first !== before) made = await managed.update(made, before);
    const was = await this.see(made);
    scenario.nextRun();
    scenario.infos.length = 0;
    const left = checkInputs(
      resource,
      { __owner: `acme/shop/dev/${sample.type}`, ...after },
      made.state,
    ).inputs;
    const plan = diffResource(scenario.runtime, resource, made.id, made.state, left, () => false);
    const says = scenario.infos.filter((line) => new RegExp(` ${name}(?:[.[]\\S*)?: `).test(line));
    const isShown = plan.properties.some(({ path }) => path.split(/[.[]/)[0] === name);
    expect(isShown).toBe(traits.createOnly !== true);
    if (traits.replacementDeletes !== undefined) {
      // A replacement would delete what somebody else may have set.
      expect(plan.replaces).toEqual([]);
      await expect(managed.update(made, after)).rejects.toThrow("run `pulumi up --target-replace '");
      return;
    }
    // A replacement is made without it.
    if (traits.createOnly === true || plan.replaces.length > 0) {
      expect(says).toEqual([]);
      return;
    }

    const updated = await managed.update(made, after);
    const is = await this.see(made);
    const isOption = traits.local === true;
    if (resource.isAction === true && !isOption) expect(says).toHaveLength(1);
    if (says.length > 0) expect(is).toEqual(was);
    else if (!isOption && !NOT_READ.has(`${sample.type}.${name}`)) {
      expect(is.inputs[name]).not.toEqual(was.inputs[name]);
    }
    if (!Object.hasOwn(resource.outputs.shape, name)) expect(updated.state).not.toHaveProperty(name);

    scenario.nextRun();
    scenario.infos.length = 0;
    const read = await managed.read(updated);
    expect(diffResource(scenario.runtime, resource, made.id, read?.state ?? {}, left).changes).toBe(false);
    expect(scenario.infos).toEqual([]);
  }

  private async see({ id, state }: SettledResource): Promise<Seen> {
    const { scenario, resource } = this;
    scenario.nextRun();
    const ctx = createStepContext(scenario.runtime, resource, "read", state, {
      claim: withId(createClaim(resource, state), id),
    });
    const observed = await resource.read(ctx, { id, state });
    return {
      inputs: { ...observed?.inputs },
      objects: resource.isAction === true ? [] : await this.sample.onService(scenario, this.ref),
    };
  }
}

interface Readable {
  readAll(ctx: Context, ref: string): Promise<Values>;
}

function isReadable(resource: AnyResource): resource is AnyResource & Readable {
  return "readAll" in resource;
}

it("every optional input is decided", () => {
  const undecided = allResources().flatMap((resource) =>
    listMarkedFields(resource.inputs).flatMap(([name, field, traits]) => {
      const { local, createOnly, computed, replaces, resets, staysUnless } = traits;
      const isDecided =
        [local, createOnly, computed, resets, resource.unsetsRemovedInputs].includes(true) ||
        replaces !== undefined ||
        staysUnless !== undefined ||
        // What nobody can read back goes on as it was.
        traits.writeOnly === true;
      return isOptional(field) && !isDecided ? [`${resource.type}.${name}`] : [];
    }),
  );
  expect(undecided).toEqual([]);
});

describe.each(samplesInTier().map((sample) => [sample.type, sample] as const))("%s", (type, sample) => {
  const inputs = listMarkedFields(resourceOf(sample).inputs).filter(
    ([name, field, { computed }]) =>
      isOptional(field) &&
      computed !== true &&
      !LEFT_OUT.has(name) &&
      NOT_TRIED[`${type}.${name}`] === undefined,
  );

  it("is planned, done and shown alike when one of its inputs is taken out", async () => {
    const failures: string[] = [];
    for (const [name, field, traits] of inputs) {
      const scenario = await startScenario({ pace: 0.2 });
      try {
        const ref = sample.needsProject ? scenario.healthyProject() : "";
        sample.prepare?.(scenario, ref);
        given(ref)[type]?.[name]?.prepare?.(scenario);
        const harness = new Bench(scenario, sample, ref);
        await harness.takeOut(name, traits, caseOf(sample, ref, name, field, await harness.found()));
      } catch (error) {
        failures.push(`${name}: ${String(error)}`);
      } finally {
        await scenario.close();
      }
    }
    expect(failures).toEqual([]);
  });
});
