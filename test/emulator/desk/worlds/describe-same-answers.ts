import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import {
  MovableClock,
  startEmulator,
  type Clock,
  type Emulator,
  type EmulatorOptions,
} from "../../../../emulator";
import { importWorld } from "../../../../emulator/desk/worlds/import-world";
import type { OperationName } from "../../../../spec/table";
import { type Answered, answersTo, growWorld, reads, tokensFor, writes } from "./random-world";

const YEAR_MS = 365 * 24 * 3_600_000;
const START = Date.UTC(2026, 0, 1);
const standing: Clock = { now: () => START };
/** Another machine, on another day. */
const later: Clock = { now: () => START + YEAR_MS };

/** Random worlds of the given operations, exported: what the copies answer to every read and to random further calls. */
export function describeSameAnswers(names: readonly OperationName[], numRuns: number): void {
  const of = (some: readonly OperationName[]): OperationName[] => some.filter((name) => names.includes(name));

  it("answers every read and every further call as its original does, on another machine and another day", async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(of(writes), { maxLength: 60 }), async (further) => {
        const folder = mkdtempSync(join(tmpdir(), "emulator-world-"));
        const running: Emulator[] = [];
        try {
          await requireSameAnswers(folder, running, of(reads), further);
        } finally {
          for (const emulator of running) await emulator.close();
          rmSync(folder, { recursive: true, force: true });
        }
      }),
      { numRuns },
    );
  });
}

async function requireSameAnswers(
  folder: string,
  running: Emulator[],
  read: readonly OperationName[],
  further: readonly OperationName[],
): Promise<void> {
  const start = async (options: EmulatorOptions): Promise<Emulator> => {
    const emulator = await startEmulator(options);
    running.push(emulator);
    return emulator;
  };
  const clock = new MovableClock(standing);
  const source = await start({ clock });
  const readRequests = await growWorld(source, clock, read);
  const writeRequests = await growWorld(source, clock, further);
  const calls = [...readRequests, ...writeRequests, ...readRequests];
  const tokens = tokensFor(source, calls.length);
  const [file, dataFolder] = [join(folder, "world"), join(folder, "data")];
  await source.control.exportWorld(file);
  importWorld(file, dataFolder);

  const known = JSON.stringify(source.control.snapshot());
  const expected = await answersTo(source, calls, tokens);
  const succeeded = expected.slice(0, readRequests.length).filter(({ status }) => status < 400);
  expect(succeeded.length).toBeGreaterThan(0.9 * read.length);
  for (const options of [{ worldFile: file }, { dataFolder }]) {
    const copy = await start({ ...options, clock: new MovableClock(later) });
    const answers = await answersTo(copy, calls, tokens);
    expect(inWordsOf(expected, answers, known)).toEqual(expected);
  }
  for (const { control } of running) expect(control.internalErrors).toEqual([]);
}

const RANDOM = /[\w-]{16,}/g;

/** The answers of a copy with what it made at random in the words of its original: each word for one of the same length. */
function inWordsOf(original: readonly Answered[], copy: readonly Answered[], known: string): Answered[] {
  const words = new Map<string, string>();
  const translated = (text: string, model: string): string => {
    const models = model.match(RANDOM) ?? [];
    let index = 0;
    return text.replaceAll(RANDOM, (word) => {
      const its = models[index++] ?? word;
      if (known.includes(word) || known.includes(its) || word.length !== its.length) return word;
      if (!words.has(word)) words.set(word, its);
      return words.get(word) ?? word;
    });
  };
  return copy.map((answer, index) => ({
    ...answer,
    text: translated(answer.text, original[index]?.text ?? ""),
    location: answer.location && translated(answer.location, original[index]?.location ?? ""),
  }));
}
