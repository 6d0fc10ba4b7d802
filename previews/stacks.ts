import type { RemoveStack } from "./removal";

export interface StackOptions {
  /** The stack of a pull request, with `{number}` for the pull request's: `pr-{number}` or `acme/shop/pr-{number}`. */
  readonly pattern: string;
  /** Folder of the program, with its Pulumi.yaml. */
  readonly workDir: string;
  /** Receives what the engine prints. */
  readonly onOutput?: (text: string) => void;
}

/** Destroys and removes the stack of a pull request by Pulumi's Automation API: `pulumi` has to be on PATH, logged in. */
export function removeByStack({ pattern, workDir, onOutput }: StackOptions): RemoveStack {
  return async ({ pullRequest }) => {
    const { LocalWorkspace, StackNotFoundError } = loadAutomation();
    const stackName = pattern.replaceAll("{number}", String(pullRequest));
    try {
      const stack = await LocalWorkspace.selectStack({ stackName, workDir });
      await stack.destroy(onOutput === undefined ? {} : { onOutput });
      await stack.workspace.removeStack(stackName);
      return true;
    } catch (error) {
      if (error instanceof StackNotFoundError) return false;
      throw error;
    }
  };
}

/** Loaded on demand: without a pattern nothing of Pulumi is needed. */
function loadAutomation(): typeof import("@pulumi/pulumi/automation/index.js") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load the engine's client at the start
  return require("@pulumi/pulumi/automation") as typeof import("@pulumi/pulumi/automation/index.js");
}
