import { hostname } from "node:os";
import { ForgeError, type Forge, type JobRun } from "./forge/forge";
import { parseRemadeFor, parseRunRecords, addRunRecords, type RunRecord } from "./run-records";
import type { StackLock } from "./unlocking";

/** How long a run has to be over: one that was cancelled may still be waiting for its engine. */
const SETTLED_MS = 600_000;

const FIRST_COMMENT =
  "### The preview is being created\n\nThis comment will show its address and the changes of the schema.";

export interface RecordedRunsOptions {
  readonly forge: Forge;
  readonly pullRequest: number;
  /** The topic of the comment that the records are in. */
  readonly topic?: string | undefined;
  readonly warn: (line: string) => void;
  readonly host?: string | undefined;
  readonly nowMs?: (() => number) | undefined;
}

/**
 * The runs of a pull request, kept in our comment on it while they use the stack: one that is still there when a later run meets a
 * lock was killed. A forge that does not answer removes no lock, and stops no run.
 */
export class RecordedRuns {
  /** What the comment had before this run. */
  private earlier: readonly RunRecord[] | undefined;
  private remadeFor: string | undefined;
  private readonly nowMs: () => number;

  constructor(private readonly options: RecordedRunsOptions) {
    this.nowMs = options.nowMs ?? Date.now;
  }

  /** Before the stack is used. Where there is no comment yet, none is made unless it is asked for. */
  async begin({ id, attempt }: JobRun, { createsComment }: { createsComment: boolean }): Promise<void> {
    const sinceMs = Math.floor(this.nowMs() / 1000) * 1000;
    const own: RunRecord = { id, attempt, host: this.options.host ?? hostname(), sinceMs };
    await this.write((before) => {
      this.remember(before);
      if (before === undefined && !createsComment) return undefined;
      return addRunRecords(before ?? FIRST_COMMENT, [...(this.earlier ?? []), own]);
    });
  }

  /** After the stack was used. */
  async end(wasLocked: boolean): Promise<void> {
    await this.write((before) =>
      before === undefined ? undefined : addRunRecords(before, this.listRemaining(wasLocked)),
    );
  }

  /** The runs that the comment is to keep after this one. Those that left a lock stay: the next run has to find them. */
  listRemaining(wasLocked: boolean): readonly RunRecord[] {
    return wasLocked ? (this.earlier ?? []) : [];
  }

  /**
   * Whether the branch may be made anew for a failed run of its own: it was not for this commit, as far as the comment says. A later
   * commit may be the correction, and its run may have displaced the one that was asked for a new branch.
   */
  mayRemakeBranch(commit: string): boolean {
    return this.earlier !== undefined && this.remadeFor !== commit;
  }

  /** Whether a lock was left by a run that is over: machine and time have to be those of that run, by the forge's word. */
  async isOfEndedRun(lock: StackLock): Promise<boolean> {
    if (this.earlier === undefined) {
      await this.write((before) => {
        this.remember(before);
        return undefined;
      });
    }
    const lockedMs = Date.parse(lock.since);
    for (const record of this.earlier ?? []) {
      if (record.host !== lock.host || !(lockedMs >= record.sinceMs)) continue;
      const run = await this.ask(() => this.options.forge.jobRun(record));
      if (run?.endedMs === undefined || this.nowMs() - run.endedMs < SETTLED_MS) continue;
      if (lockedMs >= run.startedMs && lockedMs <= run.endedMs) return true;
    }
    return false;
  }

  private remember(comment: string | undefined): void {
    this.earlier = parseRunRecords(comment);
    this.remadeFor = parseRemadeFor(comment);
  }

  private async write(change: (before: string | undefined) => string | undefined): Promise<void> {
    const { forge, pullRequest, topic } = this.options;
    await this.ask(() => forge.comment(pullRequest, change, topic));
  }

  private async ask<T>(question: () => Promise<T>): Promise<T | undefined> {
    try {
      return await question();
    } catch (error) {
      if (!(error instanceof ForgeError)) throw error;
      this.options.warn(
        `Warning: the forge was not reached, so the stack's locks are judged by their age alone. ${error.message}`,
      );
      return undefined;
    }
  }
}
