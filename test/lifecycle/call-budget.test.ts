import type { CallRecord } from "../../emulator/service/world/call-record";
import { ManagementClient } from "../../provider/client";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { secret } from "../../provider/resources/functions/secret/secret";
import { project } from "../../provider/resources/projects/project/project";
import type { SettledResource } from "../../provider/engine/create/create";
import type { Values } from "../../provider/define/values";
import { startScenario, type Managed, type Scenario } from "../kit/scenario";
import { madeApiKeys } from "./made-api-keys";
import { signingKey } from "../../provider/resources/auth/signing-key/signing-key";
import { ssoProvider } from "../../provider/resources/auth/sso-provider/sso-provider";

/** 120 calls a minute in a fixed window that its first call begins (service, Limits). */
const LIMIT = 120;
const WINDOW_MS = 60_000;

let scenario: Scenario;
let ref: string;
beforeEach(async () => {
  scenario = await startScenario();
  ref = scenario.healthyProject();
});
afterEach(() => scenario.close());

/** How many calls each window of the service saw, told from the times of the calls alone. */
function windowsOf(calls: readonly CallRecord[]): number[] {
  const windows: { readonly startedAt: number; count: number }[] = [];
  for (const { at } of [...calls].sort((a, b) => a.at - b.at)) {
    const current = windows.at(-1);
    if (current !== undefined && at < current.startedAt + WINDOW_MS) current.count += 1;
    else windows.push({ startedAt: at, count: 1 });
  }
  return windows.map(({ count }) => count);
}

function countsOf(calls: readonly CallRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { operation = "none" } of calls) counts[operation] = (counts[operation] ?? 0) + 1;
  return counts;
}

interface Planned {
  readonly managed: Managed;
  readonly inputs: Values;
}

function plan(count: number, managed: Managed, inputs: (index: number) => Values): Planned[] {
  return Array.from({ length: count }, (_, index) => ({
    managed,
    inputs: { projectRef: ref, ...inputs(index) },
  }));
}

const functions = (count: number): Planned[] =>
  plan(count, scenario.manage(edgeFunction), (index) => ({
    slug: `function-${index}`,
    files: { "index.ts": `Deno.serve(() => new Response("${index}"));` },
  }));
const keys = (count: number): Planned[] =>
  plan(count, scenario.manage(apiKey), (index) => ({ type: "publishable", name: `key_number_${index}` }));
const secrets = (count: number): Planned[] =>
  plan(count, scenario.manage(secret), (index) => ({ name: `SECRET_${index}`, value: `value ${index}` }));

/** Both kinds in turn, as the engine starts them in no order of its own. */
function mixed(count: number): Planned[] {
  const [some, others] = [functions(count / 2), keys(count / 2)];
  return some.flatMap((each, index) => [each, ...others.slice(index, index + 1)]);
}

async function createAll(
  planned: readonly Planned[],
): Promise<(Planned & { readonly made: SettledResource })[]> {
  return Promise.all(
    planned.map(async (each) => ({ ...each, made: await each.managed.create(each.inputs) })),
  );
}

function nextRun(): void {
  scenario.nextRun();
  scenario.emulator.control.clearCalls();
  // The windows of what came before are over.
  scenario.clock.advance(WINDOW_MS);
}

describe("300 resources of one project", () => {
  it("are created with no refusal, one listing of each collection, one that confirms the deploys, and every full window used up", async () => {
    await createAll(mixed(300));
    const calls = scenario.emulator.control.calls();
    expect(calls.filter(({ status }) => status === 429)).toEqual([]);
    expect(countsOf(calls)).toEqual({
      // The second one confirms the deploys.
      listFunctions: 2,
      listApiKeys: 1,
      // Whether the project is active, as it lists no functions.
      getProject: 1,
      deployFunction: 150,
      createApiKey: 150,
    });
    expect(windowsOf(calls)).toEqual([LIMIT, LIMIT, 304 - 2 * LIMIT]);
    const onService = scenario.emulator.world.state.projects.get(ref);
    expect([onService?.functions.size, madeApiKeys(onService).length]).toEqual([150, 150]);
  });

  it("are deleted with no refusal, one listing to compare with, one that confirms them, and every full window used up", async () => {
    const all = await createAll(mixed(300));
    nextRun();
    await Promise.all(all.map(({ managed, made }) => managed.delete(made)));
    const calls = scenario.emulator.control.calls();
    expect(calls.filter(({ status }) => status === 429)).toEqual([]);
    expect(countsOf(calls)).toEqual({ listFunctions: 2, deleteFunction: 150, deleteApiKey: 150 });
    expect(windowsOf(calls)).toEqual([LIMIT, LIMIT, 302 - 2 * LIMIT]);
    const onService = scenario.emulator.world.state.projects.get(ref);
    expect([onService?.functions.size, madeApiKeys(onService).length]).toEqual([0, 0]);
  });

  it("share a window with somebody else's calls without a refusal, and still use it up", async () => {
    const { clock, emulator } = scenario;
    const accessToken = emulator.accessToken;
    // Another process of the same user: this one learns of its calls from answers alone.
    const other = new ManagementClient({
      baseUrl: emulator.url,
      credentials: { kind: "token", accessToken: () => accessToken },
      clock,
    });
    for (let call = 0; call < 50; call += 1) await other.getProject({ ref });
    await other.close();
    await createAll(mixed(300));
    const calls = scenario.emulator.control.calls();
    expect(calls.filter(({ status }) => status === 429)).toEqual([]);
    expect(windowsOf(calls)).toEqual([LIMIT, LIMIT, 354 - 2 * LIMIT]);
  });
});

it("a refresh of 100 secrets, 30 functions and 10 keys is one call for each collection and one for the project", async () => {
  const declared = {
    name: "app",
    organizationSlug: "acme",
    dbPass: "initial-password",
    region: "eu-central-1",
    adoptId: ref,
  };
  const managed = scenario.manage(project);
  const all = [
    { managed, inputs: declared, made: await managed.create(declared) },
    ...(await createAll([...secrets(100), ...functions(30), ...keys(10)])),
  ];
  nextRun();
  const reads = await Promise.all(all.map((each) => each.managed.read(each.made)));
  expect(countsOf(scenario.emulator.control.calls())).toEqual({
    getProject: 1,
    listSecrets: 1,
    listFunctions: 1,
    listApiKeys: 1,
  });
  const changes = all.filter(
    (each, index) => each.managed.diff(reads[index]?.state ?? {}, each.inputs).changes,
  );
  expect(changes).toEqual([]);
});

describe("a write that is refused with 429", () => {
  it.each([
    ["createApiKey", apiKey, { type: "publishable", name: "website" }],
    ["createSigningKey", signingKey, { algorithm: "ES256" }],
    ["createSsoProvider", ssoProvider, { type: "saml", metadataUrl: "https://idp.example.com/metadata" }],
    ["createSecrets", secret, { name: "PAYMENT_TOKEN", value: "a-value" }],
  ] as const)("waits and sends %s again", async (operation, resource, inputs) => {
    scenario.emulator.control.addFault({ operation, status: 429, times: 2 });
    const made = await scenario.manage(resource).create({ projectRef: ref, ...inputs });
    expect(made.id).not.toBe("");
    expect(scenario.emulator.control.pendingFaults()).toEqual([]);
    expect(scenario.calls(operation)).toBe(3);
  });

  it("uses the budget of a window up and goes on in the next one, without a refusal", async () => {
    const names = Array.from({ length: 150 }, (_, index) => `key_${index}`);
    const keys = scenario.manage(apiKey);
    await Promise.all(names.map((name) => keys.create({ projectRef: ref, type: "publishable", name })));
    const calls = scenario.emulator.control.calls();
    expect(calls.filter(({ status }) => status === 429)).toEqual([]);
    // 151 calls at 120 a minute: the wait for one window to end, and not for two.
    expect((calls.at(-1)?.at ?? 0) - (calls[0]?.at ?? 0)).toBeLessThan(62_000);
  });
});
