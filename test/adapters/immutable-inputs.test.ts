import type { WorldState } from "../../emulator/service/world/state";
import { allResources } from "../../provider/catalog/catalog";
import { listMarkedFields } from "../../provider/define/markers";
import type { Values } from "../../provider/define/values";
import { giveDomainAddon, giveLargerCompute } from "../../tools/fixtures/given-addons";
import { startScenario, type Scenario } from "../kit/scenario";
import { publishRecords } from "../../tools/engine/emulated-dns";
import { OneResourceStack } from "./one-resource-stack";
import { startPluginProcess } from "../kit/plugin-process";
import { startProviderProcess, type ProviderProcess } from "../kit/provider-process";

// What cannot be changed in place was changed at the service, or in the program (decision 0132).

const adapters = {
  dynamic: startProviderProcess,
  plugin: startPluginProcess,
} as const satisfies Record<
  string,
  (scenario: Scenario, type: string) => ProviderProcess | Promise<ProviderProcess>
>;

/** An input that a read can show otherwise than it was declared. */
interface Case {
  readonly type: string;
  readonly input: string;
  readonly title?: string;
  readonly declared: (ref: string) => Values;
  readonly prepare?: (scenario: Scenario, ref: string) => void;
  readonly afterCreate?: (scenario: Scenario, ref: string) => void;
  /** Somebody changes it at the service. */
  readonly drift: (state: WorldState, ref: string, id: string) => void;
  /** The program with what the service has by then. */
  readonly found: Values | ((ref: string) => Values);
  /** By this word in the state it is replaced; without one, nothing in the program has it replaced. */
  readonly word?: Values;
  /** It is replaced although no word allows it: by decision, nothing is lost. */
  readonly isReplaced?: true;
  /** An update moves the object, by the consent that it asks for alone (decision 0156). */
  readonly isMoved?: true;
}

const anywhere = { name: "shop", organizationSlug: "acme", dbPass: "first-password" };
const shop = { ...anywhere, region: "eu-central-1" };
// Their keys in the order in which the engine sends them.
const SPECIFIC = { code: "eu-central-1", type: "specific" };
const ISSUER = "https://idp.example.com";
const POINT = {
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
};
const keysOf = (kid: string): Values => ({ keys: [{ crv: "P-256", kid, kty: "EC", ...POINT }] });

const preview = (ref: string): Values => ({ projectRef: ref, name: "staging", gitBranch: "staging" });
const persistent = (ref: string): Values => ({ ...preview(ref), persistent: true });
const WORD = { deletionProtection: false };

function projectIn({ projects }: WorldState, ref: string) {
  const project = projects.get(ref);
  if (project === undefined) throw new Error(`there is no project ${ref}`);
  return project;
}
function setImage(
  state: WorldState,
  ref: string,
  image: Partial<ReturnType<typeof projectIn>["database"]>,
): void {
  const project = projectIn(state, ref);
  project.database = { ...project.database, ...image };
}
function branchIn({ branches }: WorldState, ref: string) {
  const branch = [...branches.values()].find(({ projectRef }) => projectRef === ref);
  if (branch === undefined) throw new Error(`there is no branch ${ref}`);
  return branch;
}

const ofBranch = (
  declared: (ref: string) => Values,
  rest: Pick<Case, "title" | "word" | "isReplaced">,
): Case[] => [
  {
    ...{ type: "Branch", input: "postgresEngine", ...rest },
    declared: (ref) => ({ ...declared(ref), postgresEngine: "15" }),
    drift: (state, _ref, id) => setImage(state, id, { engine: "17" }),
    found: { postgresEngine: "17" },
  },
  {
    ...{ type: "Branch", input: "releaseChannel", ...rest },
    declared: (ref) => ({ ...declared(ref), releaseChannel: "ga" }),
    drift: (state, _ref, id) => setImage(state, id, { releaseChannel: "beta" }),
    found: { releaseChannel: "beta" },
  },
  {
    ...{ type: "Branch", input: "withData", ...rest },
    declared: (ref) => ({ ...declared(ref), withData: false }),
    drift: (state, _ref, id) => void (branchIn(state, id).withData = true),
    found: { withData: true },
  },
];

const cases: readonly Case[] = [
  {
    ...{ type: "Project", input: "organizationSlug", isMoved: true },
    declared: () => shop,
    drift: (state, _ref, id) => void (projectIn(state, id).organizationSlug = "hobby"),
    found: { organizationSlug: "hobby" },
  },
  {
    ...{ type: "Project", input: "region", word: WORD },
    declared: () => shop,
    drift: (state, _ref, id) => void (projectIn(state, id).region = "us-east-1"),
    found: { region: "us-east-1" },
  },
  {
    ...{ type: "Project", input: "regionSelection", word: WORD },
    declared: () => ({ ...anywhere, regionSelection: SPECIFIC }),
    drift: (state, _ref, id) => void (projectIn(state, id).region = "us-east-1"),
    found: { regionSelection: { ...SPECIFIC, code: "us-east-1" } },
  },
  {
    ...{ type: "Project", input: "region", title: "of an adopted project", word: WORD },
    prepare: (there) => void there.healthyProject("shop"),
    declared: () => ({ ...shop, adopt: true }),
    drift: (state, _ref, id) => void (projectIn(state, id).region = "us-east-1"),
    found: { region: "us-east-1" },
  },
  {
    ...{ type: "Project", input: "organizationSlug", title: "of an adopted project", isMoved: true },
    prepare: (there) => void there.healthyProject("shop"),
    declared: () => ({ ...shop, adopt: true }),
    drift: (state, _ref, id) => void (projectIn(state, id).organizationSlug = "hobby"),
    found: { organizationSlug: "hobby" },
  },
  ...ofBranch(persistent, { title: "of a persistent branch", word: WORD }),
  ...ofBranch((ref) => ({ ...preview(ref), deletionProtection: true }), { title: "of a protected branch" }),
  ...ofBranch(preview, { title: "of a branch that nothing protects", isReplaced: true }),
  {
    ...{ type: "ReadReplica", input: "region", prepare: giveLargerCompute },
    declared: (ref) => ({ projectRef: ref, region: "us-east-1" }),
    drift: (state, ref, id) => {
      const replica = projectIn(state, ref).readReplicas.get(id);
      if (replica) replica.region = "eu-west-1";
    },
    found: { region: "eu-west-1" },
  },
  {
    ...{ type: "CustomHostname", input: "customHostname", prepare: giveDomainAddon },
    declared: (ref) => ({ projectRef: ref, customHostname: "db.example.com" }),
    drift: (state, ref) => {
      const record = projectIn(state, ref).customHostname;
      if (record) record.hostname = "others.example.com";
    },
    found: { customHostname: "others.example.com" },
  },
  {
    ...{ type: "ThirdPartyAuth", input: "oidcIssuerUrl" },
    declared: (ref) => ({ projectRef: ref, oidcIssuerUrl: ISSUER }),
    drift: (state, ref) =>
      projectIn(state, ref).auth.thirdParties.forEach((one) => void (one.oidcIssuerUrl = `${ISSUER}/others`)),
    found: { oidcIssuerUrl: `${ISSUER}/others` },
  },
  {
    ...{ type: "ThirdPartyAuth", input: "jwksUrl" },
    declared: (ref) => ({ projectRef: ref, jwksUrl: `${ISSUER}/keys` }),
    drift: (state, ref) =>
      projectIn(state, ref).auth.thirdParties.forEach((one) => void (one.jwksUrl = `${ISSUER}/others`)),
    found: { jwksUrl: `${ISSUER}/others` },
  },
  {
    ...{ type: "ThirdPartyAuth", input: "customJwks" },
    declared: (ref) => ({ projectRef: ref, customJwks: keysOf("one") }),
    drift: (state, ref) =>
      projectIn(state, ref).auth.thirdParties.forEach((one) => {
        one.customJwks = keysOf("others");
      }),
    found: { customJwks: keysOf("others") },
  },
  {
    ...{ type: "SigningKey", input: "algorithm", isReplaced: true },
    declared: (ref) => ({ projectRef: ref, algorithm: "ES256" }),
    drift: (state, ref, id) => {
      const key = projectIn(state, ref).signingKeys.get(id);
      if (key) key.algorithm = "RS256";
    },
    found: { algorithm: "RS256" },
  },
  {
    ...{ type: "ApiKey", input: "type", isReplaced: true },
    declared: (ref) => ({ projectRef: ref, type: "secret", name: "backend" }),
    drift: (state, ref, id) => {
      const key = projectIn(state, ref).apiKeys.get(id);
      if (key) key.type = "publishable";
    },
    found: { type: "publishable" },
  },
  {
    ...{ type: "CustomHostnameActivation", input: "customHostname", isReplaced: true },
    prepare: (scenario, ref) => {
      giveDomainAddon(scenario, ref);
      const body = { custom_hostname: "db.example.com" };
      scenario.emulator.control.call("initializeCustomHostname", { ref, body });
      scenario.clock.advance(3_000);
      publishRecords(scenario, ref);
    },
    declared: (ref) => ({ projectRef: ref, customHostname: "db.example.com" }),
    drift: (state, ref) => {
      const record = projectIn(state, ref).customHostname;
      if (record) record.hostname = "others.example.com";
    },
    found: { customHostname: "others.example.com" },
  },
];

/** Inputs that a read shows as they are: by type, or `*` for every type that has one. */
const NEVER_OTHERWISE: Readonly<Record<string, readonly string[]>> = {
  "*": ["projectRef", "triggers"],
  // Written once, and never returned.
  Branch: ["instanceSize", "region", "diskSizeGb"],
  SigningKey: ["privateJwk"],
  // A part of the path by which it is read.
  OrganizationWebhookEndpoint: ["organizationSlug"],
  // Computed of what is declared: log-drain.test.ts.
  LogDrain: ["backendType"],
  // The identifier of the object.
  AllowedCidr: ["cidr"],
  BillingAddon: ["addonType"],
  EdgeFunction: ["slug"],
  JitUser: ["userId", "email"],
  Secret: ["name"],
  StorageBucket: ["name"],
  VaultSecret: ["name"],
  // The only value there is.
  SsoProvider: ["type"],
};

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject("parent");
});
afterEach(() => scenario.close());

/** It changes nothing. */
const PREVIEW = "checkProjectTransfer";

const writes = (): string[] =>
  scenario.emulator.control
    .calls()
    .flatMap(({ method, operation = "" }) => (method === "GET" || operation === PREVIEW ? [] : [operation]));

async function stackWith(
  { type, prepare, afterCreate }: Case,
  adapter: keyof typeof adapters,
  declared: Values,
): Promise<OneResourceStack> {
  prepare?.(scenario, ref);
  const stack = new OneResourceStack(async () => {
    scenario.clock.advance(60_000);
    return adapters[adapter](scenario, type);
  });
  expect(await stack.up(declared)).toEqual({ does: "create" });
  afterCreate?.(scenario, ref);
  scenario.emulator.control.clearCalls();
  return stack;
}

function driftIn(stack: OneResourceStack, { drift }: Case): void {
  const { id } = stack.recorded;
  scenario.emulator.control.edit((state) => drift(state, ref, id));
}

const foundBy = ({ found }: Case): Values => (typeof found === "function" ? found(ref) : found);
const text = (value: unknown): string => JSON.stringify(value);

const table = cases.flatMap((one) =>
  (["dynamic", "plugin"] as const).map(
    (adapter) => [one.type, one.input, one.title ?? "", adapter, one] as const,
  ),
);

describe.each(table)("%s.%s %s through the %s adapter", (_type, input, _title, adapter, one) => {
  const declared = (): Values => one.declared(ref);
  const refusal = (): unknown => ({
    refused: expect.stringContaining(
      `The program declares ${text(declared()[input])}, the state has ${text(foundBy(one)[input])}`,
    ) as string,
  });

  it("that was changed at the service is shown by every refresh, which changes nothing", async () => {
    const stack = await stackWith(one, adapter, declared());
    driftIn(stack, one);
    expect(await stack.refresh({ isPreview: true })).toEqual({ does: "change" });
    expect(await stack.refresh()).toEqual({ does: "change" });
    expect(await stack.refresh({ isPreview: true })).toEqual({ does: "same" });
    expect(stack.recorded.inputs).toMatchObject(foundBy(one));
    expect(writes()).toEqual([]);
    // The program takes over what was found.
    expect(await stack.up({ ...declared(), ...foundBy(one) })).toEqual({ does: "same" });
  });

  if (one.isReplaced === true) {
    it("is replaced, as decided: nothing of others is lost", async () => {
      const stack = await stackWith(one, adapter, declared());
      driftIn(stack, one);
      expect(await stack.preview(declared(), { refresh: true })).toEqual({ does: "replace" });
    });
    return;
  }

  if (one.isMoved === true) {
    const unconfirmed = { refused: expect.stringContaining("needs consent. Nothing was changed") as string };

    it("that was changed at the service is never moved back without consent", async () => {
      const stack = await stackWith(one, adapter, declared());
      driftIn(stack, one);
      expect(await stack.preview(declared(), { refresh: true })).toEqual({ does: "update" });
      expect(await stack.up(declared(), { refresh: true })).toEqual(unconfirmed);
      await stack.refresh();
      expect(await stack.up(declared())).toEqual(unconfirmed);
      expect(writes()).toEqual([]);
      expect(await stack.up({ ...declared(), ...foundBy(one) })).toEqual({ does: "same" });
    });

    it("that was changed in the program moves it with the consent that is asked for, and not back", async () => {
      const stack = await stackWith(one, adapter, declared());
      const edited = { ...declared(), ...foundBy(one) };
      expect(await stack.preview(edited)).toEqual({ does: "update" });
      expect(scenario.calls()).toBe(0);
      const refused = await stack.up(edited);
      expect(refused).toEqual(unconfirmed);
      const [, confirm] = /with the fingerprint (\w{16})/.exec(text(refused)) ?? [];
      const { id } = stack.recorded;
      expect(await stack.up({ ...edited, confirm })).toEqual({ does: "update" });
      expect([writes(), stack.recorded.id]).toEqual([["transferProject"], id]);
      expect(await stack.refresh({ isPreview: true })).toEqual({ does: "same" });
      expect(await stack.up({ ...edited, confirm })).toEqual({ does: "same" });
      scenario.emulator.control.edit((state) => {
        const slug = declared()["organizationSlug"];
        if (typeof slug === "string") projectIn(state, id).organizationSlug = slug;
      });
      expect(await stack.up({ ...edited, confirm }, { refresh: true })).toEqual(unconfirmed);
      expect(writes()).toEqual(["transferProject"]);
    });
    return;
  }

  it("that was changed at the service is refused with both values, and nothing is deleted", async () => {
    const stack = await stackWith(one, adapter, declared());
    driftIn(stack, one);
    expect(await stack.preview(declared(), { refresh: true })).toEqual(refusal());
    expect(await stack.up(declared(), { refresh: true })).toEqual(refusal());
    await stack.refresh();
    expect(await stack.preview(declared())).toEqual(refusal());
    expect(await stack.up(declared())).toEqual(refusal());
    expect(writes()).toEqual([]);
    expect(await stack.up({ ...declared(), ...foundBy(one) })).toEqual({ does: "same" });
  });

  it("that was changed in the program is refused without a call", async () => {
    const stack = await stackWith(one, adapter, declared());
    const edited = { ...declared(), ...foundBy(one) };
    const refused = expect.stringContaining(
      `The program declares ${text(edited[input])}, the state has ${text(declared()[input])}`,
    ) as string;
    for (const plan of [await stack.preview(edited), await stack.up(edited)]) {
      expect(plan).toEqual({ refused });
      expect(text(plan)).toContain("run `pulumi refresh` first");
    }
    expect(scenario.calls()).toBe(0);
    expect(await stack.up(declared())).toEqual({ does: "same" });
  });

  it("does not keep a destroy after a refresh from what it does", async () => {
    const stack = await stackWith(one, adapter, declared());
    driftIn(stack, one);
    const isKept = declared()["deletionProtection"] === true || declared()["adopt"] === true;
    const outcome = await stack.destroy({ refresh: true });
    if (isKept) expect(outcome).toEqual({ refused: expect.stringContaining("was not deleted") as string });
    else expect(outcome).toEqual({ does: "delete" });
  });

  const { word } = one;
  if (word === undefined) return;

  it("is replaced by the word that the state has, and not by one that comes with the change", async () => {
    const stack = await stackWith(one, adapter, declared());
    const edited = { ...declared(), ...foundBy(one), ...word };
    expect(await stack.up(edited)).toHaveProperty("refused");
    expect(writes()).toEqual([]);
    expect(await stack.up({ ...declared(), ...word })).toEqual({ does: "update" });
    expect(writes()).toEqual([]);
    expect(await stack.up({ ...edited, deletionProtection: true })).toHaveProperty("refused");
    expect(await stack.preview(edited)).toEqual({ does: "replace" });
    driftIn(stack, one);
    expect(await stack.preview({ ...declared(), ...word }, { refresh: true })).toEqual({ does: "replace" });
  });
});

it("are all decided on: each that a read can show otherwise is in the table", () => {
  const decided = new Set([
    ...cases.map(({ type, input }) => `${type}.${input}`),
    ...Object.entries(NEVER_OTHERWISE).flatMap(([type, names]) => names.map((name) => `${type}.${name}`)),
  ]);
  // A read of an action shows what is remembered.
  const kept = allResources().filter(({ isAction }) => isAction !== true);
  const replacing = kept.flatMap(({ type, inputs }) =>
    listMarkedFields(inputs).flatMap(([name, , { replaces, local }]) =>
      replaces === undefined || local === true || decided.has(`*.${name}`) ? [] : [`${type}.${name}`],
    ),
  );
  expect(replacing.filter((each) => !decided.has(each))).toEqual([]);
});
