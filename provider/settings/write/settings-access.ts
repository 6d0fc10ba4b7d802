import type { Context } from "../../define/context";
import type { SharedCalls } from "../../define/shared-calls";
import { poll } from "../../waiting/poll";
import type { SettingValues } from "../mapping/original-values";
import type { AnySettings } from "../settings-definition";
import type { SettingsMapping, WireValues } from "../mapping/settings-mapping";

/** A setting as it was before a write, and as that left it. */
export interface WrittenSetting {
  readonly before: unknown;
  readonly wanted: unknown;
}

/** The configurations of one kind on the service: reads that a run shares, and what it has written. */
export class SettingsAccess {
  /** What each run has written of a project and not looked at since. */
  private readonly written = new WeakMap<SharedCalls, Map<string, Map<string, WrittenSetting>>>();

  constructor(
    readonly definition: Pick<
      AnySettings,
      "type" | "mode" | "services" | "get" | "put" | "isInForce" | "settle"
    >,
    readonly mapping: SettingsMapping,
  ) {
    if (definition.mode !== "replace") return;
    const hidden = mapping.names.find((name) => mapping.visibilityOf(name) !== "value");
    if (hidden !== undefined) {
      throw new Error(
        `${definition.type} cannot be replaced as a whole: the service does not return ${hidden}.`,
      );
    }
  }

  /** A configuration of one setting has nothing that a write of another one could take back. */
  get isWrittenWhole(): boolean {
    return this.definition.mode === "replace" && this.mapping.names.length > 1;
  }

  listKey(ref: string): string {
    return `${this.definition.type}:${ref}`;
  }

  async get(ctx: Context, ref: string): Promise<WireValues> {
    return { ...(await ctx.api.ofEveryProject(ref, () => this.definition.get(ctx, ref))) };
  }

  /** As it was last read or written in this run. */
  async seen(ctx: Context, ref: string): Promise<WireValues> {
    return ctx.shared.list(this.listKey(ref), () => this.get(ctx, ref));
  }

  /** What was just read or answered serves the next read. */
  cacheAnswer(ctx: Context, ref: string, seen: WireValues): void {
    const key = this.listKey(ref);
    ctx.shared.forget(key);
    void ctx.shared.list(key, () => Promise.resolve(seen));
  }

  /** Waits until what was written is in force and the project can be used again. */
  async waitUntilUsable(ctx: Context, ref: string, declared: SettingValues): Promise<void> {
    const { definition } = this;
    await definition.settle?.(ctx, ref, declared);
    if (definition.isInForce === undefined) return;
    await poll<boolean, undefined>(ctx, {
      what: `${definition.type} of ${ref} to be in force`,
      look: async () => {
        const isDone = definition.isInForce?.(await this.seen(ctx, ref)) ?? true;
        // The next look asks the service.
        if (!isDone) ctx.shared.forget(this.listKey(ref));
        return isDone;
      },
      judge: (isDone) =>
        isDone
          ? { kind: "done", value: undefined }
          : { kind: "waiting", reason: "the service has not applied it yet" },
    });
  }

  /** Keeps what was written, for the look that follows. */
  noteWritten(
    ctx: Context,
    ref: string,
    {
      names,
      current,
      wanted,
    }: Record<"current" | "wanted", SettingValues> & { readonly names: readonly string[] },
  ): void {
    const ofRun = this.written.get(ctx.shared) ?? new Map<string, Map<string, WrittenSetting>>();
    this.written.set(ctx.shared, ofRun);
    const ofProject = ofRun.get(ref) ?? new Map<string, WrittenSetting>();
    ofRun.set(ref, ofProject);
    for (const name of names) ofProject.set(name, { before: current[name], wanted: wanted[name] });
  }

  /** What was written since the last look. */
  takeWritten(ctx: Context, ref: string): ReadonlyMap<string, WrittenSetting> {
    const ofRun = this.written.get(ctx.shared);
    const written = ofRun?.get(ref) ?? new Map<string, WrittenSetting>();
    ofRun?.delete(ref);
    return written;
  }
}
