import type { RemoveStack } from "./removal";
import { lockTaken } from "./run-unlocked";
import { deadLocksIn } from "./stack-locks";

export interface StackOptions {
  /** The stack of a pull request, with `{number}` for the pull request's: `pr-{number}` or `acme/shop/pr-{number}`. */
  readonly pattern: string;
  /** Folder of the program, with its Pulumi.yaml. */
  readonly workDir: string;
  /** Takes away locks that are all older, as no job lasts so long, and tries once more; none when absent. */
  readonly unlockAfterMs?: number;
  /** Receives what the engine prints. */
  readonly onOutput?: (text: string) => void;
}

/** Destroys and removes the stack of a pull request by Pulumi's Automation API: `pulumi` has to be on PATH, logged in. */
export function removeByStack({ pattern, workDir, unlockAfterMs, onOutput }: StackOptions): RemoveStack {
  return async ({ pullRequest }) => {
    const { LocalWorkspace, StackNotFoundError } = loadAutomation();
    const stackName = stackNameOf(pattern, pullRequest);
    try {
      const stack = await LocalWorkspace.selectStack({ stackName, workDir });
      const destroy = () => stack.destroy(onOutput === undefined ? {} : { onOutput });
      try {
        await destroy();
      } catch (error) {
        const dead = deadLocksOf(error, unlockAfterMs);
        if (dead === undefined) throw error;
        onOutput?.(`${lockTaken(stackName, dead)}\n`);
        await stack.cancel();
        await destroy();
      }
      await stack.workspace.removeStack(stackName);
      return true;
    } catch (error) {
      if (error instanceof StackNotFoundError) return false;
      throw error;
    }
  };
}

export function stackNameOf(pattern: string, pullRequest: number): string {
  return pattern.replaceAll("{number}", String(pullRequest));
}

function deadLocksOf(error: unknown, olderThanMs: number | undefined): string | undefined {
  if (olderThanMs === undefined || !(error instanceof Error)) return undefined;
  return deadLocksIn(error.message, { olderThanMs, nowMs: Date.now() });
}

/** Loaded on demand: without a pattern nothing of Pulumi is needed. */
function loadAutomation(): typeof import("@pulumi/pulumi/automation/index.js") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load the engine's client at the start
  return require("@pulumi/pulumi/automation") as typeof import("@pulumi/pulumi/automation/index.js");
}
