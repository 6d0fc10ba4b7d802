import fc from "fast-check";
import { startScenario, type Scenario } from "../kit/scenario";

const SEED = Number(process.env["HISTORIES_SEED"] ?? 1);
const PATH = process.env["HISTORIES_PATH"];

/** What a history happens to. */
export interface History<A> {
  act(action: A): Promise<void>;
  /** Throws where the history did not end as it must. */
  requireEnd(): Promise<void>;
  dispose(): void | Promise<void>;
}

export interface Histories<A> {
  /** As `npm run histories -- --of` takes it. */
  readonly of: string;
  readonly says: string;
  readonly action: fc.Arbitrary<A>;
  readonly describe: (action: A) => string;
  readonly begin: (scenario: Scenario) => History<A>;
  /** How many there are where `npm run histories` does not say. */
  readonly count: number;
  /** Of a test that hangs, for each history. */
  readonly timeoutMs: number;
}

/** Declares the test that plays random histories, on one service after another. */
export function playHistories<A>(given: Histories<A>): void {
  const { of, says, action, describe, begin, timeoutMs } = given;
  const count = Number(process.env["HISTORIES_COUNT"] ?? given.count);
  let scenario: Scenario;
  beforeAll(async () => {
    // A rate limit is waited for in virtual time; a slow service would only make more polls.
    scenario = await startScenario({ pace: 0.02 });
  });
  afterAll(() => scenario.close());

  it(
    `${count} random histories ${says}`,
    async () => {
      const property = fc.asyncProperty(
        fc.array(action, { minLength: 3, maxLength: 14 }),
        async (actions) => {
          const history = begin(scenario);
          try {
            for (const each of actions) await history.act(each);
            await history.requireEnd();
          } finally {
            await history.dispose();
          }
        },
      );
      await fc.assert(property, {
        numRuns: count,
        seed: SEED,
        ...(PATH === undefined ? {} : { path: PATH }),
        plugins: [
          () => ({
            onAllRunsComplete: (result) => {
              if (!result.failed) return;
              const actions: readonly A[] = result.counterexample?.[0] ?? [];
              const lines = actions.map((each) => `  ${describe(each)}`).join("\n");
              const replay = `npm run histories -- --of ${of} --seed ${result.seed} --path ${result.counterexamplePath ?? ""}`;
              const cause = result.errorInstance instanceof Error ? result.errorInstance.message : "";
              throw new Error(`The shortest history that fails:\n${lines}\n${cause}\nReplay: ${replay}`);
            },
          }),
        ],
      });
    },
    Math.max(300_000, count * timeoutMs),
  );
}
