import type { Context } from "../../define/context";
import type { WrittenSetting } from "../../define/shared-calls";
import { poll } from "../../waiting/poll";
import type { SettingValues } from "../mapping/original-values";
import type { AnySettings } from "../settings-definition";
import type { SettingsMapping, WireValues } from "../mapping/settings-mapping";

/** The configurations of one kind on the service: reads that a run shares, and what it has written. */
export class SettingsAccess {
  constructor(
    readonly definition: Pick<
      AnySettings,
      "type" | "mode" | "showsOnlySet" | "services" | "get" | "put" | "isInForce" | "settle"
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
      ignored,
    }: Record<"current" | "wanted", SettingValues> & Record<"names" | "ignored", readonly string[]>,
  ): void {
    const { writtenSettings } = ctx.shared;
    const ofProject = writtenSettings.get(this.listKey(ref)) ?? new Map<string, WrittenSetting>();
    writtenSettings.set(this.listKey(ref), ofProject);
    for (const name of names) {
      const isIgnored = ignored.includes(name);
      ofProject.set(name, { before: current[name], wanted: wanted[name], isIgnored });
    }
  }

  /** What was written since the last look. */
  takeWritten(ctx: Context, ref: string): ReadonlyMap<string, WrittenSetting> {
    const { writtenSettings } = ctx.shared;
    const written = writtenSettings.get(this.listKey(ref)) ?? new Map<string, WrittenSetting>();
    writtenSettings.delete(this.listKey(ref));
    return written;
  }
}
