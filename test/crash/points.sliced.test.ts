import { samplesInTier } from "../kit/samples";
import { samplesOfOtherOperations } from "../kit/samples-of-other-operations";
import { inTier } from "../kit/tier";
import { formsOf } from "../kit/forms";
import { CrashLife, STEPS, type Crash, type Step } from "./crash-life";

/** Lives on one emulator: its clock goes on, and a time that a sample names, as to restore to, must not become too old. */
const LIVES = 250;
/** The long form lets the run after the crash die as well, at every third of its points. */
const IS_LONG = process.env["CRASH_POINTS"] === "long";

const samples = [
  ...samplesInTier().map((sample) => [sample.type, sample] as const),
  ...inTier(samplesOfOtherOperations, () => false),
];
const cases = samples.flatMap(([name, sample]) =>
  formsOf(sample).map((form) => ({ title: `${name}, ${form.title}`, sample, form })),
);
const rows: string[] = [];

function crashesIn(life: CrashLife, step: Step): Crash[] {
  const points = life.points.get(step) ?? [];
  const once = points.flatMap(({ isWrite }, at): Crash[] => [
    { step, death: { at } },
    ...(isWrite ? [{ step, death: { at, isUnderWay: true } }] : []),
  ]);
  if (!IS_LONG) return once;
  const again = points.map((_, at) => at).filter((at) => at % 3 === 0);
  return [...once, ...once.flatMap((crash) => again.map((at) => ({ ...crash, again: { at } })))];
}

describe.each(cases)("a provider of a $title", ({ title, sample, form }) => {
  let life: CrashLife;
  beforeAll(async () => {
    life = await CrashLife.open(sample, form);
  });
  afterAll(() => life.close());

  it.each(STEPS)(
    "that dies wherever control leaves it in its %s converges in the next run",
    async (step) => {
      const crashes = crashesIn(life, step);
      const failures: string[] = [];
      let told = 0;
      for (const [index, crash] of crashes.entries()) {
        if (index > 0 && index % LIVES === 0) {
          await life.close();
          life = await CrashLife.open(sample, form);
        }
        const { death, again } = crash;
        const point = life.points.get(step)?.[death.at]?.what ?? "";
        const how = death.isUnderWay === true ? ", which is under way" : "";
        const then = again === undefined ? "" : ` and again at point ${again.at}`;
        try {
          told += await life.live(crash);
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          failures.push(`${death.at}: ${point}${how}${then}: ${reason}`);
          await life.close();
          life = await CrashLife.open(sample, form);
        }
      }
      const count = life.points.get(step)?.length ?? 0;
      const adopted = told === 0 ? "" : `, ${told} by the adopt line`;
      rows.push(
        `${title}: ${step}: ${count} points, ${crashes.length} crashes${adopted}, ${failures.length} failures`,
      );
      expect(count > 0 || life.isUnchanged(step)).toBe(true);
      expect(failures).toEqual([]);
    },
    IS_LONG ? 3_600_000 : 300_000,
  );
});

afterAll(() => void process.stdout.write(`Crash points\n${rows.join("\n")}\n`));
