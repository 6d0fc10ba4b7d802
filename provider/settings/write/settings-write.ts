import { isAmbiguous } from "../../client/errors/errors";
import type { Context } from "../../define/context";
import { callWhenReady } from "../../waiting/project-health";
import { writeOnce } from "../../waiting/write-once";
import { isSet, isTold, type OriginalValues, type SettingValues } from "../mapping/original-values";
import { forgetProjectConfig } from "./project-config";
import { explainRefusedRestore, renameInError } from "./refused-settings";
import type { SettingsAccess } from "./settings-access";
import type { SettingsMapping, WireValues } from "../mapping/settings-mapping";
import type { SettingsFindings } from "../plan/settings-plan";
import type { PlannedWrite } from "../plan/settings-planner";

/** What a step writes of the configuration of one project. */
export interface SettingsWrite {
  readonly ref: string;
  /** The inputs, of which the options say how it is written. */
  readonly inputs: SettingValues;
  /** What to bring about, given what is there. */
  readonly plan: (found: SettingsFindings) => PlannedWrite;
  /** The resource goes, so there is no declaration to correct. */
  readonly isDelete?: true | undefined;
}

/**
 * Reads, plans and writes as one step that no other resource of this process can come between; returns the original values
 * of what is managed then.
 */
export async function writeSettings(
  access: SettingsAccess,
  ctx: Context,
  { ref, inputs, plan, isDelete }: SettingsWrite,
): Promise<OriginalValues | undefined> {
  const { definition, mapping } = access;
  const attempts = new SettingsWriteAttempts(mapping, ctx, ref);
  let names: readonly string[] = [];
  const attempt = async (): Promise<OriginalValues | undefined> => {
    names = [];
    const wire = await access.get(ctx, ref);
    const current = mapping.pickSettings(wire, inputs);
    const found = { wire, current, kept: attempts.kept, others: ctx.ledger.otherOwners };
    const planned = plan(found);
    names = planned.differing;
    attempts.begin({ ...planned, current });
    if (names.length === 0) access.cacheAnswer(ctx, ref, wire);
    else await sendSettings(access, ctx, { ref, inputs, wire, current, ...planned });
    for (const warning of planned.warnings) ctx.warn(warning);
    return planned.originals;
  };
  try {
    return await ctx.shared.exclusively(access.listKey(ref), () =>
      callWhenReady(ctx, ref, definition.services, attempt),
    );
  } catch (error) {
    await attempts.recordFailure(error, async () => mapping.pickSettings(await access.get(ctx, ref), inputs));
    const refused = { type: definition.type, ref, names };
    throw isDelete === true
      ? explainRefusedRestore(mapping, error, { ...refused, urn: ctx.urn })
      : renameInError(mapping, error, refused);
  }
}

interface SettingsSend extends Pick<PlannedWrite, "wanted" | "differing"> {
  readonly ref: string;
  readonly inputs: SettingValues;
  /** What is there before, as it was answered and by setting. */
  readonly wire: WireValues;
  readonly current: SettingValues;
}

/** Sends what differs, or everything where a write replaces everything. */
async function sendSettings(access: SettingsAccess, ctx: Context, sending: SettingsSend): Promise<void> {
  const { definition, mapping } = access;
  const { ref, inputs, wire, current, wanted, differing } = sending;
  const changed = Object.fromEntries(differing.map((name) => [name, wanted[name]]));
  const changes = mapping.body(changed, "merge", wire);
  const body =
    definition.mode === "replace" ? mapping.body({ ...current, ...wanted }, "replace", wire) : changes;
  // An answer without a setting does not show that it was unset.
  const toUnset = differing.filter(
    (name) => !isSet(wanted[name]) && mapping.visibilityOf(name) !== "nothing",
  );
  const isWriteApplied = (now: WireValues): boolean => {
    const shown = mapping.pickSettings(now, inputs);
    return (
      mapping.listDiffering(ref, shown, wanted).length === 0 &&
      toUnset.every((name) => isTold(definition, shown, name))
    );
  };
  const key = access.listKey(ref);
  const answer = await writeOnce(ctx, {
    send: async () => {
      const answered = await definition.put(ctx, ref, body, { options: inputs, changes });
      return answered === undefined ? undefined : { ...answered };
    },
    findResult: async () => {
      const now = await access.get(ctx, ref);
      return isWriteApplied(now) ? now : undefined;
    },
  }).finally(() => {
    ctx.shared.forget(key);
    forgetProjectConfig(ctx, ref);
  });
  if (access.isWrittenWhole) {
    // The answer says what this write left, not what is there: the next look asks.
    const left = mapping.pickSettings(answer ?? {}, inputs);
    const ignored = mapping.listDiffering(ref, left, wanted).filter((name) => isSet(left[name]));
    // What it leaves out is not known to have been written, so nobody can have taken it back.
    const names =
      answer === undefined ? differing : differing.filter((name) => isTold(definition, left, name));
    access.noteWritten(ctx, ref, { names, current, wanted, ignored });
  } else if (answer !== undefined && isWriteApplied(answer)) access.cacheAnswer(ctx, ref, answer);
}

/** A write that keeps the original values which it found. */
interface SettingsWriteAttempt extends Pick<PlannedWrite, "before" | "differing"> {
  readonly originals: OriginalValues;
  readonly current: SettingValues;
}

/** The writes of one step: what the first one found is known to the others, and to later runs. */
class SettingsWriteAttempts {
  private last: SettingsWriteAttempt | undefined;

  constructor(
    private readonly mapping: SettingsMapping,
    private readonly ctx: Context,
    private readonly ref: string,
  ) {}

  /** What the next one is to know: what is there now may be what an earlier one brought about. */
  get kept(): SettingValues {
    return this.last === undefined
      ? this.ctx.ledger.kept
      : { ...this.mapping.toOutputs(this.last.originals) };
  }

  /** To be called before the write: once written, what was there before can be found nowhere else. */
  begin({ originals, before, differing, current }: PlannedWrite & { readonly current: SettingValues }): void {
    if (differing.length === 0 || originals === undefined) return;
    this.last = { originals, before, differing, current };
    this.ctx.ledger.keep(this.ref, this.mapping.omitSecrets(originals));
  }

  /** A secret that is still there after a refusal is not lost: the next run finds it again. */
  async recordFailure(error: unknown, look: () => Promise<SettingValues>): Promise<void> {
    if (this.last === undefined || isAmbiguous(error)) return;
    const { originals, before, current, differing } = this.last;
    const known = this.mapping.listSecrets(before);
    const hasSecrets = this.mapping.listSecrets(originals).some((name) => !known.includes(name));
    const now = hasSecrets ? await look().catch(() => undefined) : undefined;
    if (now === undefined) return;
    const then = Object.fromEntries(differing.map((name) => [name, current[name]]));
    const isAsBefore = this.mapping.listDiffering(this.ref, now, then).length === 0;
    if (isAsBefore) this.ctx.ledger.keep(this.ref, this.mapping.omitSecrets(before));
  }
}
