import type { Streams } from "../redaction";
import { previewStacks, type PreviewStacks } from "../stacks";

/** What the command line says of stacks. */
interface Asked {
  readonly stackPattern?: string | undefined;
  readonly workDir: string;
  readonly unlockAfterMinutes?: number | undefined;
}

/** None where the command line names none. */
export function stacksOf(
  { stackPattern, workDir, unlockAfterMinutes }: Asked,
  { err }: Streams,
  signal: AbortSignal,
): { stacks?: PreviewStacks } {
  if (stackPattern === undefined) return {};
  const unlocking = unlockAfterMinutes === undefined ? {} : { unlockAfterMs: unlockAfterMinutes * 60_000 };
  return { stacks: previewStacks({ pattern: stackPattern, workDir, onOutput: err, signal, ...unlocking }) };
}
