import {
  ApiError,
  ForbiddenError,
  InvalidInputError,
  isAmbiguous,
  isNotFound,
  isRefusal,
  isUnrouted,
} from "../client/errors/errors";
import { namesPlan } from "../client/errors/api-error";
import { quoteServiceMessage, replaceMessage } from "../client/errors/with-message";
import type { Problem } from "../client/errors/problem";
import type { Context } from "../define/context";
import { formatCodeList } from "../define/format-code-list";
import {
  openingProblems,
  settingsProblems,
  unknownSettingProblems,
  unnamedSettingProblems,
} from "../define/problems";
import { callWhenReady } from "../waiting/project-health";
import { writeOnce } from "../waiting/write-once";
import type { Configuration } from "./configuration";
import { isSet, NO_ORIGINALS, type OriginalValues, type SettingValues } from "./original-values";
import { inputNameOf } from "./setting-fields";
import type { SettingsMapping, WireValues } from "./settings-mapping";
import type { SettingsPlan } from "./settings-plan";

/** What a step writes of the configuration of one project. */
export interface SettingsWrite {
  readonly ref: string;
  /** The inputs, of which the options say how it is written. */
  readonly inputs: SettingValues;
  /** What to bring about, given what is there. */
  readonly plan: (current: SettingValues, ctx: Context) => SettingsPlan;
  /** The resource goes, so there is no declaration to correct. */
  readonly isDelete?: true;
}

/**
 * Reads, plans and writes as one step that no other resource of this process can come between; returns the original values
 * of what is managed then.
 */
export async function writeSettings(
  configuration: Configuration,
  ctx: Context,
  write: SettingsWrite,
): Promise<OriginalValues> {
  const { definition, mapping } = configuration;
  const { ref, inputs } = write;
  const attempts = new SettingsWriteAttempts(configuration, ctx, ref);
  let names: readonly string[] = [];
  const attempt = async (): Promise<OriginalValues> => {
    names = [];
    const wire = await configuration.get(ctx, ref);
    const current = mapping.pickSettings(wire, inputs);
    const plan = write.plan(current, attempts.context);
    const known = pickSentValues(configuration, { ref, inputs, wire }, plan);
    const { wanted, permanent } = configuration.splitPermanent(known, current);
    if (plan.known !== undefined) {
      // Options are never compared, so their values are not needed here.
      definition.refuseLoss?.({ ref, current, wanted, known: plan.known, options: inputs });
    }
    const unshown = Object.keys(wanted).filter((name) => mapping.visibilityOf(name) === "nothing");
    const differing = [...mapping.listDiffering(ref, current, wanted), ...unshown];
    const refusal = definition.refusal?.(wire, ref);
    if (refusal !== undefined) {
      if (plan.originals !== NO_ORIGINALS) throw refusal;
      if (differing.length + plan.staying.length > 0) ctx.warn(refusal.message);
      return plan.originals;
    }
    names = differing;
    attempts.begin({ ...plan, current, names });
    if (differing.length === 0) configuration.cacheAnswer(ctx, ref, wire);
    else await sendSettings(configuration, ctx, { ref, inputs, wire, current, wanted, differing });
    warnOfOutcome(configuration, ctx, ref, plan, { current, wanted, permanent, differing });
    return plan.originals;
  };
  try {
    return await ctx.shared.exclusively(configuration.listKey(ref), () =>
      callWhenReady(ctx, ref, definition.services, attempt),
    );
  } catch (error) {
    await attempts.recordFailure(error, async () =>
      mapping.pickSettings(await configuration.get(ctx, ref), inputs),
    );
    const refused = { type: definition.type, ref, names };
    throw write.isDelete === true
      ? explainRefusedRestore(mapping, error, refused)
      : renameInError(mapping, error, refused);
  }
}

/** What is wanted without what this service does not know; throws where a program is to bring that about. */
function pickSentValues(
  configuration: Configuration,
  { ref, inputs, wire }: Pick<SettingsSend, "ref" | "inputs" | "wire">,
  { wanted, originals }: SettingsPlan,
): SettingValues {
  const [unknown, unnamed] = [configuration.listUnsupported(wire), configuration.listUnnamed(wire)];
  const { definition, mapping } = configuration;
  const isDeclared = (name: string): boolean => Object.hasOwn(wanted, name) && mapping.isGiven(inputs, name);
  const refuse = (names: readonly string[], problem: Problem<"settings" | "type" | "ref">): void => {
    const declared = originals === NO_ORIGINALS ? [] : names.filter(isDeclared);
    const [first] = declared;
    if (first === undefined) return;
    const about = { settings: formatCodeList(declared), type: definition.type, ref };
    throw new InvalidInputError(first, problem.message(about));
  };
  refuse(unnamed, unnamedSettingProblems.unnamedSetting);
  refuse(unknown, unknownSettingProblems.unknownSetting);
  return Object.fromEntries(
    Object.entries(wanted).filter(([name]) => !unknown.includes(name) && !unnamed.includes(name)),
  );
}

interface SettingsSend {
  readonly ref: string;
  readonly inputs: SettingValues;
  /** What is there before, as it was answered and by setting. */
  readonly wire: WireValues;
  readonly current: SettingValues;
  /** What is to be there afterwards. */
  readonly wanted: SettingValues;
  readonly differing: readonly string[];
}

/** Sends what differs, or everything where a write replaces everything. */
async function sendSettings(
  configuration: Configuration,
  ctx: Context,
  sending: SettingsSend,
): Promise<void> {
  const { definition, mapping } = configuration;
  const { ref, inputs, wire, current, wanted, differing } = sending;
  const values =
    definition.mode === "replace"
      ? { ...current, ...wanted }
      : Object.fromEntries(differing.map((name) => [name, wanted[name]]));
  const write = async (): Promise<object | undefined> => {
    if (definition.patch !== undefined && differing.every((name) => isSet(wanted[name]))) {
      const part = Object.fromEntries(differing.map((name) => [name, wanted[name]]));
      try {
        return await definition.patch(ctx, ref, mapping.body(part, "merge", wire), inputs);
      } catch (error) {
        if (!isUnrouted(error)) throw error;
      }
    }
    return definition.put(ctx, ref, mapping.body(values, definition.mode, wire), inputs);
  };
  const isWriteApplied = (now: WireValues): boolean =>
    mapping.listDiffering(ref, mapping.pickSettings(now, inputs), wanted).length === 0;
  const key = configuration.listKey(ref);
  const answer = await writeOnce(ctx, {
    send: async () => {
      const answered = await write();
      return answered === undefined ? undefined : { ...answered };
    },
    findResult: async () => {
      const now = await configuration.get(ctx, ref);
      return isWriteApplied(now) ? now : undefined;
    },
  }).finally(() => ctx.shared.forget(key));
  if (configuration.isWrittenWhole) {
    // The answer says what this write left, not what is there: the next look asks.
    configuration.noteWritten(ctx, ref, { names: differing, current, wanted });
  } else if (answer !== undefined && isWriteApplied(answer)) configuration.cacheAnswer(ctx, ref, answer);
}

/** Says what of the plan the service does not restore, and what it opens. */
function warnOfOutcome(
  { definition }: Configuration,
  ctx: Context,
  ref: string,
  { staying, released, lost }: SettingsPlan,
  done: Pick<SettingsSend, "current" | "wanted" | "differing"> & { readonly permanent: readonly string[] },
): void {
  const { current, wanted, permanent, differing } = done;
  const about = (settings: readonly string[]) => ({
    settings: formatCodeList(settings),
    type: definition.type,
    ref,
  });
  if (permanent.length > 0) ctx.warn(settingsProblems.cannotBeUnset.message(about(permanent)));
  if (staying.length > 0 && definition.givesBack !== undefined)
    ctx.warn(definition.givesBack.says(ref, formatCodeList(staying)));
  const opened = differing.filter(
    (name) => released.includes(name) && definition.opens?.(current[name], wanted[name]) === true,
  );
  if (opened.length > 0) ctx.warn(openingProblems.opened.message(about(opened)));
  if (lost.length > 0) ctx.warn(settingsProblems.lostSecret.message(about(lost)));
}

/** A write with the original values that it found. */
interface SettingsWriteAttempt extends Pick<SettingsPlan, "originals" | "before"> {
  readonly current: SettingValues;
  /** The settings that it changes. */
  readonly names: readonly string[];
}

/** The writes of one step: what the first one found is known to the others, and to later runs. */
class SettingsWriteAttempts {
  private last: SettingsWriteAttempt | undefined;
  private readonly mapping: SettingsMapping;
  private readonly isRestored: boolean;

  constructor(
    { definition, mapping }: Configuration,
    private readonly ctx: Context,
    private readonly ref: string,
  ) {
    this.mapping = mapping;
    this.isRestored = definition.leftBehind === undefined;
  }

  /** The context of the next one: what is there now may be what an earlier one brought about. */
  get context(): Context {
    return this.last === undefined
      ? this.ctx
      : {
          ...this.ctx,
          ledger: { ...this.ctx.ledger, kept: { ...this.mapping.toOutputs(this.last.originals) } },
        };
  }

  /** To be called before the write: once written, what was there before can be found nowhere else. */
  begin(attempt: SettingsWriteAttempt): void {
    if (attempt.names.length === 0 || attempt.originals === NO_ORIGINALS || !this.isRestored) return;
    this.last = attempt;
    this.ctx.ledger.keep(this.ref, this.mapping.omitSecrets(attempt.originals));
  }

  /** A secret that is still there after a refusal is not lost: the next run finds it again. */
  async recordFailure(error: unknown, look: () => Promise<SettingValues>): Promise<void> {
    if (this.last === undefined || isAmbiguous(error)) return;
    const { originals, before, current, names } = this.last;
    const hasSecrets = this.listSecrets(originals).some((name) => !this.listSecrets(before).includes(name));
    const now = hasSecrets ? await look().catch(() => undefined) : undefined;
    if (now === undefined) return;
    const then = Object.fromEntries(names.map((name) => [name, current[name]]));
    const isAsBefore = this.mapping.listDiffering(this.ref, now, then).length === 0;
    if (isAsBefore) this.ctx.ledger.keep(this.ref, this.mapping.omitSecrets(before));
  }

  private listSecrets(originals: OriginalValues): readonly string[] {
    return this.mapping.omitSecrets(originals).__found.secrets ?? [];
  }
}

/** A place in a body or an API name as words of a message, `body.` before it or not; not part of a path of a URL. */
const PLACE = /(?<![\w./-])(?:body\.)?([A-Za-z]\w*(?:\.\w+)*)/g;

/** What was to be written, for the message. */
interface RefusedWrite {
  readonly type: string;
  readonly ref: string;
  /** The settings that a write was to change. */
  readonly names: readonly string[];
}

/** The same error by the program's names where the service refuses a write; any other error as it is. */
function renameInError(
  mapping: SettingsMapping,
  error: unknown,
  { type, ref, names }: RefusedWrite,
): unknown {
  if (!(error instanceof ApiError)) return error;
  if (error instanceof ForbiddenError) {
    if (names.length === 0) return error;
    const settings = formatCodeList([...new Set(names.map(inputNameOf))]);
    const cause = error.message;
    return replaceMessage(error, settingsProblems.notAllowed.message({ type, ref, settings, cause }));
  }
  if (!isRefusal(error)) return error;
  const { paths } = translate(mapping, error.serviceMessage);
  if (paths.length === 0) return error;
  const settings = formatCodeList(paths);
  const cause = translate(mapping, error.message).text;
  return replaceMessage(error, settingsProblems.refused.message({ type, ref, settings, cause }));
}

/** The same of a delete: what restores nothing needs another advice than what the program declares. */
function explainRefusedRestore(
  mapping: SettingsMapping,
  error: unknown,
  { type, ref, names }: RefusedWrite,
): unknown {
  // A project that is gone has nothing to restore.
  if (isNotFound(error)) return error;
  if (!(error instanceof ApiError)) return error;
  const isOfPlan =
    error.status === 402 || (error instanceof ForbiddenError && namesPlan(error.serviceMessage));
  if (!isRefusal(error) && !isOfPlan) return renameInError(mapping, error, { type, ref, names });
  const { text, paths } = translate(mapping, quoteServiceMessage(error));
  const changed = names.length === 0 ? mapping.names : names;
  const settings = formatCodeList(paths.length === 0 ? [...new Set(changed.map(inputNameOf))] : paths);
  return replaceMessage(
    error,
    settingsProblems.restoreRefused.message({ type, ref, settings, answer: text }),
  );
}

/** A text of the service with the program's paths in place of its own names. */
function translate(
  mapping: SettingsMapping,
  text: string,
): { readonly text: string; readonly paths: readonly string[] } {
  const paths = new Set<string>();
  const translated = text.replace(PLACE, (place: string, dotted: string) => {
    const path = mapping.findProgramPath(dotted);
    if (path === undefined) return place;
    paths.add(path);
    return path;
  });
  return { text: translated, paths: [...paths] };
}
