import { createRequire } from "node:module";

/** Its types describe the module that is required, and not the other one that is imported. */
const { default: Sequencer } = createRequire(import.meta.url)(
  "@jest/test-sequencer",
) as typeof import("@jest/test-sequencer");

type Test = Parameters<InstanceType<typeof Sequencer>["sort"]>[0][number];

/** Files whose few lines try a whole catalog: by their size, which is all that is known of them at first, they come last. */
const ENUMERATIONS = /\.(?:sliced|full)\.test\.ts$|\/table\.test\.ts$/;

/**
 * Starts enumerations first where jest has no times of an earlier run, as in CI: the last one would keep one core busy for
 * minutes while the others have nothing to do. A run begins at another file for each number in `TEST_TURN`: what one that has
 * a deadline has no time for is then among the first of another.
 */
export default class EnumerationsFirst extends Sequencer {
  override async sort(tests: Test[]): Promise<Test[]> {
    const rank = ({ path, duration }: Test): number =>
      duration === undefined && ENUMERATIONS.test(path) ? 0 : 1;
    const sorted = (await super.sort(tests)).toSorted((a, b) => rank(a) - rank(b));
    const first = Number(process.env["TEST_TURN"] ?? 0) % Math.max(sorted.length, 1);
    return [...sorted.slice(first), ...sorted.slice(0, first)];
  }
}
