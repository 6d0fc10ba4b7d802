import type { SettledResource } from "../../provider/engine/create/create";
import { InitializationError } from "../../provider/engine/step/errors";
import type { AnyResource } from "../../provider/define/resource";
import type { Values } from "../../provider/define/values";
import type { OperationName } from "../../spec/table";
import { adapters, checked } from "../kit/adapter-life";
import type { Answer, Disturbance, ProxiedRequest } from "../kit/answer-proxy";
import { declaring, Machine, messagesOf } from "../kit/machine";
import type { Death, MortalProcess } from "../kit/mortal-process";
import { startScenario, type Scenario } from "../kit/scenario";
import { LARGEST_ANSWER_BYTES } from "./fault-kinds";
import { resourceOf, sampleOf, samples } from "../kit/samples";
import { inTier } from "../kit/tier";

/** A type of which the service makes a second object where the request arrives twice. */
interface Duplicated {
  readonly type: string;
  readonly create: OperationName;
  readonly list: OperationName;
  readonly inputs?: Values;
  /** What lets the create go on beside an object of the same identity; undefined where nothing does. */
  readonly beside?: Values;
  /** The answer has no id: two new ones stop the create, and its error names them. */
  readonly isToldByListing?: true;
  /** The create ends with a listing of its own, which is the look: where it fails, so does the create. */
  readonly looksAnyway?: true;
}

const duplicated: readonly Duplicated[] = [
  {
    type: "Project",
    create: "createProject",
    list: "listOrganizationProjects",
    inputs: { instanceSize: "small", withKeys: true, withPooler: true },
    beside: { allowDuplicateName: true },
  },
  { type: "Organization", create: "createOrganization", list: "listOrganizations" },
  { type: "ThirdPartyAuth", create: "createThirdPartyAuth", list: "listThirdPartyAuth" },
  {
    type: "SigningKey",
    create: "createSigningKey",
    list: "listSigningKeys",
    inputs: { status: "in_use" },
    beside: {},
    looksAnyway: true,
  },
  {
    type: "WebhookEndpoint",
    create: "createProjectWebhookEndpoint",
    list: "listProjectWebhookEndpoints",
  },
  {
    type: "OrganizationWebhookEndpoint",
    create: "createOrganizationWebhookEndpoint",
    list: "listOrganizationWebhookEndpoints",
  },
  { type: "LogDrain", create: "createLogDrain", list: "listLogDrains" },
  {
    type: "ReadReplica",
    create: "setUpReadReplica",
    list: "listOrganizationProjects",
    beside: { allowSameRegion: true },
    isToldByListing: true,
  },
];

let scenario: Scenario;
let ref: string;
async function open({ type }: Duplicated): Promise<void> {
  scenario = await startScenario({ isProxied: true, pace: 0.1 });
  ref = scenario.healthyProject();
  sampleOf(type).prepare?.(scenario, ref);
}

const resource = ({ type }: Duplicated): AnyResource => resourceOf(sampleOf(type));
const declared = ({ type, inputs }: Duplicated, more: Values = {}): Values => ({
  ...sampleOf(type).inputs(ref),
  ...inputs,
  ...more,
});
/** The objects of the type, whoever made them. */
const listShown = ({ type }: Duplicated): readonly string[] =>
  sampleOf(type).objects?.ids(scenario, ref) ?? [];

/** A gateway sends a request that has been answered once more. */
function repeat({ operation, params, body }: ProxiedRequest): void {
  if (operation === undefined) throw new Error("the request is none of the API");
  const parameters = { ...params, body: JSON.parse(body.toString("utf8")) as unknown };
  void scenario.emulator.control.call(operation, parameters);
}

/** What happens to the listings that follow the create's request, by their number from 0. */
function onListing(
  { create, list }: Duplicated,
  tell: (index: number, sent: ProxiedRequest) => boolean,
  disturbance: Disturbance = {},
): void {
  let sent: ProxiedRequest | undefined;
  let count = 0;
  const remember = (request: ProxiedRequest): boolean => {
    sent ??= request;
    return false;
  };
  scenario.proxy.disturb({ operation: create, appliesTo: remember });
  scenario.proxy.disturb({
    ...disturbance,
    operation: list,
    appliesTo: () => sent !== undefined && tell(count++, sent),
  });
}

/** The number of listings that follow the create's request. */
async function countListings(each: Duplicated, of = resource(each)): Promise<number> {
  let count = 0;
  await open(each);
  onListing(each, (index) => {
    count = index + 1;
    return false;
  });
  await scenario.manage(of).create(declared(each));
  await scenario.close();
  return count;
}

/** A gateway repeats the create's request right before the listing of the number. */
function repeatBefore(each: Duplicated, listing: number): void {
  onListing(each, (index, sent) => {
    if (index === listing) repeat(sent);
    return false;
  });
}

/** One warning names what is new beside the object of the id, and both are there. */
function requireNamed(
  each: Duplicated,
  { id }: Pick<SettledResource, "id">,
  before: readonly string[],
  warnings: readonly string[] = scenario.warnings,
): void {
  const after = listShown(each);
  const others = after.filter((one) => one !== id && !before.includes(one));
  expect(after).toContain(id);
  expect(others).toHaveLength(1);
  expect(warnings).toEqual([
    expect.stringContaining(`The create of the ${each.type} ${id} probably made a second one: `),
  ]);
  expect(warnings[0]).toContain(`the service now also has ${others[0]} (`);
  expect(scenario.emulator.control.calls().filter(({ method }) => method === "DELETE")).toEqual([]);
}

const answer = (status: number, body: string, type = "application/json"): Answer => ({
  status,
  headers: { "content-type": type },
  body: Buffer.from(body),
});
/** What goes wrong with a listing. What is held is tried by the fault matrix. */
const faults: Readonly<Record<string, Disturbance>> = {
  ...Object.fromEntries(
    [401, 403, 404, 429, 500, 503].map((status) => [
      `the status ${status}`,
      { instead: answer(status, '{"message":"no"}') },
    ]),
  ),
  "a page of a gateway": { instead: answer(502, "<html>Bad Gateway</html>", "text/html") },
  "a page with 200": { instead: answer(200, "<html>Welcome</html>", "text/html") },
  "half an answer": { instead: answer(200, '[{"id": "0f1e2d3c-') },
  "no list": { instead: answer(200, "{}") },
  "a list of nothing": { instead: answer(200, '[{}, null, 1, "x"]') },
  "lists of nothing": { instead: answer(200, '{"projects":[{},null],"keys":[{},null]}') },
  "what is nested too deeply": { instead: answer(200, "[".repeat(40_000) + "]".repeat(40_000)) },
  "a long answer": { instead: answer(200, JSON.stringify("x".repeat(LARGEST_ANSWER_BYTES))) },
  "a request that is lost": { drop: "before" },
  "an answer that is lost": { drop: "after" },
};

it("a second object is looked for of these types", () => {
  const looking = samples.filter((sample) => resourceOf(sample).createsDuplicates !== undefined);
  expect(looking.map(({ type }) => type).sort()).toEqual(duplicated.map(({ type }) => type).sort());
});

it.each([
  ["in_use", {}, true],
  ["in_use", { privateJwk: { kty: "EC" } }, true],
  ["in_use", { privateJwk: { kty: "EC", kid: "a-kid" } }, false],
  ["standby", {}, false],
  [undefined, {}, false],
] as const)("a second signing key is made only where it is not refused: %s, %j", (status, more, isMade) => {
  const signingKey = resourceOf(sampleOf("SigningKey"));
  expect(signingKey.createsDuplicates?.({ status, ...more })).toBe(isMade);
});

// One with a wait and a time of creation, and one that another key takes out of use.
const inThisTier = inTier(duplicated, ({ type }) => type === "Project" || type === "SigningKey");

describe.each(inThisTier.map((each) => [each.type, each] as const))("%s", (_type, each) => {
  let last: number;
  let before: readonly string[];
  beforeAll(async () => {
    last = (await countListings(each)) - 1;
  });
  beforeEach(async () => {
    await open(each);
    before = listShown(each);
  });
  afterEach(() => scenario.close());

  const create = (more?: Values): Promise<SettledResource> =>
    scenario.manage(resource(each)).create(declared(each, more));

  it.each(["first", "last"] as const)(
    "of two that a gateway made before it passed on the %s answer, the other one is named once, and stays",
    async (passesOn) => {
      scenario.proxy.disturb({ operation: each.create, repeat: 1, passesOn, times: 1 });
      if (each.isToldByListing === true) {
        const message = await create().then(() => "", String);
        const [one = "", other = ""] = listShown(each).filter((id) => !before.includes(id));
        expect(message).toContain("The outcome of the create");
        expect([message.includes(one), message.includes(other)]).toEqual([true, true]);
        return;
      }
      const made = await create();
      requireNamed(each, made, before);

      scenario.nextRun();
      const managed = scenario.manage(resource(each));
      const read = await managed.read(made);
      expect(managed.diff(read?.state ?? {}, declared(each)).changes).toBe(false);
      expect(scenario.warnings).toHaveLength(1);
    },
  );

  it("one that a gateway makes after the answer is named", async () => {
    repeatBefore(each, last);
    requireNamed(each, await create(), before);
  });

  it("a create that nobody repeats says nothing, at the price of one listing at most", async () => {
    await create();
    expect(scenario.warnings).toEqual([]);
    await scenario.close();
    const incurious = { ...resource(each), createsDuplicates: () => false };
    expect(last + 1 - (await countListings(each, incurious))).toBeLessThanOrEqual(1);
    await open(each);
  });

  it("one that stood before is not taken for it", async () => {
    await create({ __owner: "acme/other/dev/its-own" });
    before = listShown(each);
    scenario.nextRun();
    if (each.beside === undefined) {
      await expect(create()).rejects.toThrow("already exists");
      return;
    }
    await create(each.beside);
    expect(scenario.warnings).toEqual([]);
  });

  if (each.beside !== undefined) {
    it("beside one that stood before, only the new one is named", async () => {
      await create({ __owner: "acme/other/dev/its-own" });
      before = listShown(each);
      scenario.nextRun();
      repeatBefore(each, last);
      requireNamed(each, await create(each.beside), before);
    });

    it("two of one program that are made side by side are not taken for each other's", async () => {
      const owners = ["acme/shop/dev/one", "acme/shop/dev/two"];
      await Promise.all(owners.map((__owner) => create({ ...each.beside, __owner })));
      expect(scenario.warnings).toEqual([]);
    });
  }

  it("a token that may not list makes nothing", async () => {
    scenario.emulator.control.addFault({ operation: each.list, status: 403, times: 1_000 });
    await expect(create()).rejects.toThrow();
    expect(scenario.calls(each.create)).toBe(0);
  });

  it.each(Object.entries(faults))("a look that ends with %s fails no create", async (_what, fault) => {
    let met = 0;
    onListing(
      each,
      (index) => {
        const isLook = index >= last;
        if (isLook) met += 1;
        return isLook;
      },
      fault,
    );
    const { id } = await create().catch((error: unknown) => {
      if (each.looksAnyway === true && error instanceof InitializationError) return error;
      throw error;
    });
    expect(listShown(each)).toContain(id);
    expect(scenario.warnings).toEqual([]);
    expect(met).toBeGreaterThan(0);
  });

  it("after a run that is killed after the answer, the next one names both, and has the first if it has any", async () => {
    const program = () => declaring(each.type, declared(each));
    let sent: unknown;
    /** A run on a new machine, which may be killed. */
    const begin = async (death?: Death): Promise<{ machine: Machine; process: MortalProcess }> => {
      await scenario.close();
      await open(each);
      before = listShown(each);
      const machine = new Machine(scenario);
      const { process } = await machine.play(machine, (engine, own) => engine.up(program(), own), {
        ...(death && { death }),
        onCall: (name, parameters) => {
          if (name === each.create) sent = parameters;
        },
      });
      return { machine, process };
    };
    const undisturbed = await begin();
    const names = undisturbed.process.points.map(({ what }) => what);
    await undisturbed.machine.leave();
    const answered = names.indexOf(`answer ${each.create}`);
    const wrong: string[] = [];
    let named = 0;
    for (let at = answered; names[at] !== "record of create"; at += 1) {
      // Of several waits one will do.
      if (names.indexOf(names[at] ?? "", answered) < at) continue;
      const { machine } = await begin({ at });
      void scenario.emulator.control.call(each.create, sent);
      const told = machine.warnings.length;
      const [refusal] = messagesOf(await machine.up(program()));
      const text = refusal ?? machine.warnings.slice(told).join();
      const [id] = machine.engine.idsOf(each.type);
      const both = listShown(each).filter((one) => !before.includes(one));
      const start = id === undefined ? "The outcome of the create" : `The create of the ${each.type} ${id}`;
      const isRight = both.length === 2 && text.includes(start) && both.every((one) => text.includes(one));
      if (!isRight) wrong.push(`${names[at]}: ${id}, ${both.join()}: ${text}`);
      else if (id !== undefined) named += 1;
      await machine.leave();
    }
    expect(wrong).toEqual([]);
    expect(named).toBeGreaterThan(0);
  });
});

describe("a Project", () => {
  const [each] = duplicated;
  if (each === undefined) throw new Error("there is no Project");
  let before: readonly string[];
  beforeEach(async () => {
    await open(each);
    before = listShown(each);
  });
  afterEach(() => scenario.close());

  const create = (): Promise<SettledResource> =>
    scenario.manage(resource(each)).create(declared(each, { region: "eu-central-1" }));
  /** Somebody acts while the create waits for its project. */
  const meanwhile = (act: () => void): void =>
    void scenario.proxy.disturb({
      operation: "getHealth",
      times: 1,
      rewrite: () => {
        act();
        return {};
      },
    });
  const make = (name: string, code: "eu-central-1" | "us-east-1"): string =>
    scenario.emulator.control.call("createProject", {
      body: {
        name,
        organization_slug: "acme",
        db_pass: "somebodys-own",
        region_selection: { type: "specific", code },
      },
    }).ref;

  it("that somebody makes meanwhile with its name in another region is not taken for a second one", async () => {
    meanwhile(() => make("shop", "us-east-1"));
    await create();
    expect(scenario.warnings).toEqual([]);
  });

  it("that is older and gets its name meanwhile is not taken for a second one", async () => {
    const other = make("store", "eu-central-1");
    scenario.clock.advance(10 * 60_000);
    meanwhile(
      () => void scenario.emulator.control.call("updateProject", { ref: other, body: { name: "shop" } }),
    );
    await create();
    expect(scenario.warnings).toEqual([]);
  });

  it("whose create fails after the answer names the second one all the same", async () => {
    scenario.proxy.disturb({ operation: each.create, repeat: 1, times: 1 });
    scenario.emulator.control.addFault({ operation: "getHealth", status: 403, times: 1_000 });
    const error = await create().catch((thrown: unknown) => thrown);
    if (!(error instanceof InitializationError)) throw error;
    requireNamed(each, error, before);
  });

  it.each(adapters)("is named by the $name adapter", async ({ start }) => {
    scenario.proxy.disturb({ operation: each.create, repeat: 1, times: 1 });
    const process = await start(scenario, each.type);
    const made = await process.create(await checked(process, declared(each)));
    const lines = process.lines.filter((line) => line.includes("probably made a second one"));
    await process.close();
    requireNamed(each, made, before, lines);
  });
});
