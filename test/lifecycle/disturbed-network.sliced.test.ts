import fc from "fast-check";
import { operations, type OperationName } from "../../spec/table";
import type { Answer, Disturbance, ProxiedRequest } from "../kit/answer-proxy";
import {
  requireNothingLeft,
  requireRefreshShowsNothing,
  requireSecondRunDoesNothing,
  requireSuccess,
  runUntilSettled,
} from "../kit/checks";
import type { Declared } from "../kit/model-engine";
import type { Scenario } from "../kit/scenario";
import type { Changes } from "../kit/service-changes";
import { areRivals } from "../histories/object-kinds";
import { World } from "../kit/world";
import { inTier } from "../kit/tier";
import { FaultLife } from "./fault-life";
import { resourceOf, samples, samplesInTier } from "../kit/samples";

const PAGE: Answer = {
  status: 502,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<html><body>Bad Gateway</body></html>"),
};
const LATE_MS = 20_000;

const LATE = "the answer comes late";
/** The service carries a write out twice. */
const repeats: Readonly<Record<string, Disturbance>> = {
  "a write is repeated, with the first answer": { repeat: 1, passesOn: "first" },
  "a write is repeated, with the second answer": { repeat: 1, passesOn: "last" },
};
const disturbancesOf = ({ clock }: Scenario): [kind: string, Disturbance][] => [
  ["the request is lost", { drop: "before" }],
  ["the answer is lost", { drop: "after" }],
  ["a gateway fails before the work", { instead: PAGE }],
  ["a gateway fails after the work", { rewrite: () => PAGE }],
  [LATE, { rewrite: () => (clock.advance(LATE_MS), {}) }],
  ...Object.entries(repeats),
];

/**
 * A repeated write makes a second one, and nothing tells that from one which somebody else made just then: the create names it
 * (duplicates.sliced.test.ts).
 */
const MADE_TWICE: readonly OperationName[] = [
  ...(["createProject", "createOrganization", "createThirdPartyAuth", "setUpReadReplica"] as const),
  ...(["createProjectWebhookEndpoint", "createOrganizationWebhookEndpoint", "createLogDrain"] as const),
];
/** service, Backups: no record of a restore. One that may have been begun is reported, and never begun again. */
const WITHOUT_RECORD: readonly OperationName[] = ["restorePitr", "restoreBackup", "undoToRestorePoint"];
/** service, SQL: an answer is given once, so the state lacks its result. */
const ANSWERED_ONCE = "SqlScript settle runQuery, a write is repeated, with the second answer";

/** One request in so many is disturbed. */
const ONE_IN = 4;
const SEEDS = [1, 2, 3, 4, 5, 6];

/** Whether nothing that a user has to decide, or that no one can know, comes of it. */
function isBearable(type: string, { operation, method }: ProxiedRequest, kind: string): boolean {
  if (operation === undefined || (kind in repeats && method === "GET")) return false;
  if (kind in repeats && MADE_TWICE.includes(operation)) return false;
  return kind === LATE || !(WITHOUT_RECORD.includes(operation) || (type === "SqlScript" && method !== "GET"));
}

/** Disturbs by chance, the same for the same seed; returns what ends that, and counts the requests that were disturbed. */
function disturb({ type, seed }: { readonly type: string; readonly seed: number }, scenario: Scenario) {
  const disturbances = disturbancesOf(scenario);
  const chance = fc.noBias(fc.nat(disturbances.length * ONE_IN - 1));
  const drawn = fc.sample(chance, { seed, numRuns: 1_000 });
  const kindAt = new Map<ProxiedRequest, string | undefined>();
  const kindOf = (request: ProxiedRequest): string | undefined => {
    if (!kindAt.has(request)) {
      const [kind] = disturbances[drawn[kindAt.size % drawn.length] ?? Infinity] ?? [];
      kindAt.set(request, kind !== undefined && isBearable(type, request, kind) ? kind : undefined);
    }
    return kindAt.get(request);
  };
  const rules = disturbances.map(([kind, disturbance]) =>
    scenario.proxy.disturb({ ...disturbance, appliesTo: (request) => kindOf(request) === kind }),
  );
  return (): number => {
    for (const rule of rules) rule.end();
    return rules.reduce((count, { requests }) => count + requests.length, 0);
  };
}

describe.each(samplesInTier().map((sample) => [sample.type, sample] as const))("%s", (type, sample) => {
  let life: FaultLife;
  const open = (): Promise<FaultLife> => FaultLife.open(sample, { isProxied: true });
  beforeAll(async () => {
    life = await open();
  });
  afterAll(() => life.close());

  async function failureOf(lived: Promise<void>): Promise<string | undefined> {
    const failure = await lived.then(
      () => undefined,
      (error: unknown) => String(error),
    );
    if (failure !== undefined) {
      // What it left behind must not disturb the next one.
      await life.close();
      life = await open();
    }
    return failure;
  }

  it.each(Object.entries(repeats))("is as declared, once and alone, where %s", async (kind, disturbance) => {
    const failures: string[] = [];
    const expected: string[] = [];
    for (const place of life.places.filter(({ operation }) => operations[operation].method !== "GET")) {
      const cell = `${type} ${place.step} ${place.operation}, ${kind}`;
      const failure = await failureOf(life.liveThroughNetwork(place, disturbance));
      if (MADE_TWICE.includes(place.operation)) expected.push(`${cell}: +2 instead of 1`);
      else if (cell === ANSWERED_ONCE) expected.push(`${cell}: without its result`);
      if (failure === undefined) continue;
      const isSecond = failure.includes("after create: ") && failure.endsWith("+2 instead of 1");
      const lacksResult = /^Error: after create the state has \S+ instead of \S+,result$/.test(failure);
      failures.push(
        `${cell}: ${isSecond ? "+2 instead of 1" : lacksResult ? "without its result" : failure}`,
      );
    }
    expect(failures).toEqual(expected);
    const isMadeTwice = expected.some((cell) => cell.endsWith("+2 instead of 1"));
    expect(resourceOf(sample).createsDuplicates?.(sample.inputs("")) ?? false).toBe(isMadeTwice);
  });

  it("is as declared, once and alone, in a bad network", async () => {
    const failures: string[] = [];
    let disturbed = 0;
    for (const seed of SEEDS) {
      const lived = life.liveWhile((scenario) => {
        const end = disturb({ type, seed }, scenario);
        return () => void (disturbed += end());
      });
      const failure = await failureOf(lived);
      if (failure !== undefined) failures.push(`${type} seed ${seed}: ${failure}`);
    }
    expect(failures).toEqual([]);
    expect(disturbed).toBeGreaterThan(0);
  });
});

describe("a program with a resource of every type that a project can have at once", () => {
  const declared = samples
    .filter(({ excludes, needsOwnProject }) => excludes === undefined && needsOwnProject !== true)
    .filter(({ type }, index, all) => !all.slice(0, index).some((other) => areRivals(type, other.type)));
  let world: World;
  let ref: string;
  let usual: { readonly up: Changes; readonly destroy: Changes } | undefined;
  beforeAll(async () => {
    world = await World.open({ isProxied: true, pace: 0.25 });
    ref = world.project("bystander");
    for (const { prepare } of declared) prepare?.(world.scenario, ref);
    await live();
    usual = await live();
  });
  afterAll(() => world.close());

  /** What is made in a network is there once, and all of it goes again. */
  async function live(begin: () => () => void = () => () => undefined) {
    await world.rest();
    const stack = world.stack("dev");
    const before = world.snapshot();
    const adopt = new Map<string, string>();
    const program = (): Declared[] =>
      declared.map((sample) => ({ name: sample.type, type: sample.type, inputs: () => inputsOf(sample) }));
    const inputsOf = (sample: (typeof declared)[number]) => {
      const { protection } = resourceOf(sample);
      const adoptId = adopt.get(sample.type);
      return {
        ...sample.inputs(ref),
        ...(adoptId !== undefined && {
          adoptId,
          ...(protection !== undefined && { deletionProtection: false }),
        }),
      };
    };
    const end = begin();
    await runUntilSettled(
      async () => {
        await stack.bring(program());
        for (const { afterCreate } of declared) afterCreate?.(world.scenario, ref);
      },
      (failures) => {
        for (const { message } of failures) {
          const [, type, id] =
            /outcome of the create at .* created the (\w+) .*`adoptId: "([^"]+)"`/s.exec(message) ?? [];
          if (type !== undefined && id !== undefined) adopt.set(type, id);
        }
      },
    );
    end();
    const up = requireNothingLeft("up", [before, world.snapshot()], usual?.up);
    await requireSecondRunDoesNothing(stack, world.scenario.emulator.control);
    await requireRefreshShowsNothing(stack);
    const endAgain = begin();
    await runUntilSettled(async () => requireSuccess(await stack.destroy()));
    endAgain();
    for (const { cleanUp } of declared) await cleanUp?.(world.scenario, ref);
    return { up, destroy: requireNothingLeft("destroy", [before, world.snapshot()], usual?.destroy) };
  }

  it.each(inTier([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], (seed) => seed <= 2))(
    "is as declared, once and alone, in a bad network (seed %d)",
    async (seed) => {
      let disturbed = 0;
      await live(() => {
        const end = disturb({ type: "", seed }, world.scenario);
        return () => void (disturbed += end());
      });
      expect(disturbed).toBeGreaterThan(0);
    },
  );
});
