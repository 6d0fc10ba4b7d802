import fc from "fast-check";
import { operations } from "../../spec/table";
import type { Answer, Disturbance, ProxiedRequest } from "../kit/answer-proxy";
import type { Scenario } from "../kit/scenario";
import { FaultLife } from "./fault-life";
import { samplesInTier } from "./samples";

const PAGE: Answer = {
  status: 502,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<html><body>Bad Gateway</body></html>"),
};

/** What a bad network does to any request, and what only to a write. */
const kinds = (scenario: Scenario): Readonly<Record<string, Disturbance>> => ({
  "the request is lost": { drop: "before" },
  "the answer is lost": { drop: "after" },
  "a gateway fails before the work": { instead: PAGE },
  "a gateway fails after the work": { rewrite: () => PAGE },
  "the answer comes late": {
    rewrite: () => {
      scenario.clock.advance(20_000);
      return {};
    },
  },
  ...repeats,
});
const repeats = {
  "a write is repeated, with the first answer": { repeat: 1, passesOn: "first" },
  "a write is repeated, with the second answer": { repeat: 1, passesOn: "last" },
} as const satisfies Record<string, Disturbance>;

/** One request in so many is disturbed. */
const ONE_IN = 5;

/** Disturbs by chance, the same for the same seed. */
function disturbBy(seed: number): (scenario: Scenario) => () => boolean {
  return (scenario) => {
    const disturbances = Object.entries(kinds(scenario));
    const drawn = fc.sample(fc.nat(disturbances.length * ONE_IN - 1), { seed, numRuns: 500 });
    const kindAt = new Map<ProxiedRequest, string | undefined>();
    const kindOf = (request: ProxiedRequest): string | undefined => {
      if (!kindAt.has(request)) {
        const [kind] = disturbances[drawn[kindAt.size % drawn.length] ?? Infinity] ?? [];
        kindAt.set(
          request,
          kind !== undefined && kind in repeats && request.method === "GET" ? undefined : kind,
        );
      }
      return kindAt.get(request);
    };
    const rules = disturbances.map(([kind, disturbance]) =>
      scenario.proxy.disturb({ ...disturbance, appliesTo: (request) => kindOf(request) === kind }),
    );
    return () => {
      for (const rule of rules) rule.end();
      return true;
    };
  };
}

const samples = samplesInTier();
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

describe.each(samples.map((sample) => [sample.type, sample] as const))("%s", (type, sample) => {
  let life: FaultLife;
  const open = (): Promise<FaultLife> => FaultLife.open(sample, { isProxied: true });
  beforeAll(async () => {
    life = await open();
  });
  afterAll(() => life.close());

  /** What it left behind must not disturb the next one. */
  async function failureOf(lived: Promise<void>): Promise<string | undefined> {
    const failure = await lived.then(
      () => undefined,
      (error: unknown) => String(error),
    );
    if (failure !== undefined) {
      await life.close();
      life = await open();
    }
    return failure;
  }

  it.each(Object.entries(repeats))("is as declared, once and alone, where %s", async (_, disturbance) => {
    const failures: string[] = [];
    for (const place of life.places.filter(({ operation }) => operations[operation].method !== "GET")) {
      const failure = await failureOf(life.liveThroughNetwork(place, disturbance));
      if (failure !== undefined) failures.push(`${type} ${place.step} ${place.operation}: ${failure}`);
    }
    expect(failures).toEqual([]);
  });

  it("is as declared, once and alone, in a bad network", async () => {
    const failures: string[] = [];
    for (const seed of SEEDS) {
      const failure = await failureOf(life.liveWhile(disturbBy(seed)));
      if (failure !== undefined) failures.push(`${type} seed ${seed}: ${failure}`);
    }
    expect(failures).toEqual([]);
  });
});
