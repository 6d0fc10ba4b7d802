import type { EmulatorOptions } from "../../emulator";
import { resourceByType } from "../../provider/catalog/catalog";
import { startScenario, type Managed } from "./scenario";

/** What the standard limit counts together. */
export type LimitRule = NonNullable<EmulatorOptions["limits"]>;

/** What one step of the load has cost. */
export interface LoadCost {
  readonly rule: LimitRule;
  readonly step: "create" | "delete";
  readonly calls: number;
  readonly refused: number;
  /** Windows of the limit that were needed, the last one begun included. */
  readonly windows: number;
  readonly virtualSeconds: number;
}

const WINDOW_MS = 60_000;

/** Creates and deletes edge functions and API keys of one project, half of each, on a clock that waits for nothing. */
export async function measureLoad(rule: LimitRule, resources: number): Promise<LoadCost[]> {
  const scenario = await startScenario({ limits: rule });
  const { control } = scenario.emulator;
  try {
    const projectRef = scenario.healthyProject();
    const functions = scenario.manage(resourceByType("EdgeFunction"));
    const keys = scenario.manage(resourceByType("ApiKey"));
    const declared = Array.from({ length: resources }, (_, index): [Managed, Record<string, unknown>] =>
      index % 2 === 0
        ? [
            functions,
            { projectRef, slug: `function-${index}`, files: { "index.ts": `export default ${index};` } },
          ]
        : [keys, { projectRef, type: "publishable", name: `key_number_${index}` }],
    );
    const measured = async <T>(step: LoadCost["step"], work: Promise<T>[]): Promise<[LoadCost, T[]]> => {
      const beganMs = scenario.clock.now();
      const done = await Promise.all(work);
      const tookMs = scenario.clock.now() - beganMs;
      const calls = control.calls();
      const refused = calls.filter(({ status }) => status === 429).length;
      const windows = Math.floor(tookMs / WINDOW_MS) + 1;
      return [{ rule, step, calls: calls.length, refused, windows, virtualSeconds: tookMs / 1_000 }, done];
    };
    control.clearCalls();
    const [created, made] = await measured(
      "create",
      declared.map(async ([managed, inputs]) => ({ managed, one: await managed.create(inputs) })),
    );
    scenario.nextRun();
    // The windows of what came before are over.
    scenario.clock.advance(WINDOW_MS);
    control.clearCalls();
    const [deleted] = await measured(
      "delete",
      made.map(({ managed, one }) => managed.delete(one)),
    );
    return [created, deleted];
  } finally {
    await scenario.close();
  }
}
