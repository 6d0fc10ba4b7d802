import { resourceByType } from "../../provider/catalog/catalog";
import { startScenario } from "./scenario";

/** How Pulumi's engine begins the steps of a run. */
export interface StepRate {
  /** `--parallel`. */
  readonly parallel: number;
  /** Milliseconds before each step, once fewer than `parallel` are under way. */
  readonly pauseMs: number;
}

/** What one command has cost. */
export interface BatchCost {
  readonly command: "create" | "destroy";
  /** Of secrets, functions and keys. */
  readonly listings: readonly number[];
  /** Of secrets. */
  readonly bulks: number;
  readonly calls: number;
  readonly refused: number;
  readonly virtualSeconds: number;
}

/** How many of each there are. */
export interface BatchedResources {
  readonly functions: number;
  readonly keys: number;
  readonly secrets: number;
}

const MINUTE_MS = 60_000;

/** Creates and deletes the resources in one project, on a clock that waits for nothing. */
export async function measureBatches(
  { parallel, pauseMs }: StepRate,
  { functions, keys, secrets }: BatchedResources,
): Promise<BatchCost[]> {
  const scenario = await startScenario();
  const { clock, emulator } = scenario;
  const { control } = emulator;
  const count = (operation: string): number =>
    control.calls().filter((call) => call.operation === operation).length;
  const measure = async <T>(
    command: BatchCost["command"],
    steps: (() => Promise<T>)[],
  ): Promise<[BatchCost, T[]]> => {
    control.clearCalls();
    const beganMs = clock.now();
    const done = await runSteps(clock, { parallel, pauseMs: () => pauseMs }, steps);
    const cost = {
      command,
      listings: ["listSecrets", "listFunctions", "listApiKeys"].map(count),
      bulks: count(command === "create" ? "createSecrets" : "deleteSecrets"),
      calls: control.calls().length,
      refused: control.calls().filter(({ status }) => status === 429).length,
      virtualSeconds: (clock.now() - beganMs) / 1_000,
    };
    scenario.nextRun();
    clock.advance(MINUTE_MS);
    return [cost, done];
  };
  try {
    const projectRef = scenario.healthyProject();
    const declare = (type: string, length: number, inputs: (index: number) => Record<string, unknown>) => {
      const managed = scenario.manage(resourceByType(type));
      return Array.from({ length }, (_, index) => async () => {
        const made = await managed.create({ projectRef, ...inputs(index) });
        return () => managed.delete(made);
      });
    };
    const [created, deletes] = await measure("create", [
      ...declare("EdgeFunction", functions, (index) => ({
        slug: `function-${index}`,
        files: { "index.ts": `export default ${index};` },
      })),
      ...declare("ApiKey", keys, (index) => ({ type: "publishable", name: `key_number_${index}` })),
      ...declare("Secret", secrets, (index) => ({ name: `SECRET_${index}`, value: `value ${index}` })),
    ]);
    const [deleted] = await measure("destroy", deletes);
    return [created, deleted];
  } finally {
    await scenario.close();
  }
}

/** Begins the steps one after the other, as the engine does; the pause is that before the step of this index. */
export async function runSteps<T>(
  clock: { sleep(ms: number): Promise<void> },
  { parallel, pauseMs }: { readonly parallel: number; readonly pauseMs: (index: number) => number },
  steps: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const underWay = new Set<Promise<T>>();
  const all: Promise<T>[] = [];
  for (const [index, step] of steps.entries()) {
    while (underWay.size >= parallel) await Promise.race(underWay);
    await clock.sleep(pauseMs(index));
    const running = step().finally(() => underWay.delete(running));
    underWay.add(running);
    all.push(running);
  }
  return Promise.all(all);
}
