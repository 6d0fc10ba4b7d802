import { isAmbiguous } from "../client/errors/errors";
import type { Context } from "../define/context";
import { NOTHING_FOUND, type Found, type Plan, type SettingValues } from "./found-settings";
import type { SettingsForm } from "./settings-form";

/** A write with what it found. */
interface Attempt extends Pick<Plan, "found" | "before"> {
  readonly current: SettingValues;
  /** The settings that it changes. */
  readonly names: readonly string[];
}

/** The writes of one step: what the first one found is known to the others, and to later runs. */
export class SettingsAttempts {
  private last: Attempt | undefined;

  constructor(
    private readonly ctx: Context,
    private readonly ref: string,
    private readonly form: SettingsForm,
    private readonly isRestored: boolean,
  ) {}

  /** The context of the next one: what is there now may be what an earlier one brought about. */
  get context(): Context {
    return this.last === undefined
      ? this.ctx
      : { ...this.ctx, kept: { ...this.form.toOutputs(this.last.found) } };
  }

  /** To be called before the write: once written, what was there before can be found nowhere else. */
  begin(attempt: Attempt): void {
    if (attempt.names.length === 0 || attempt.found === NOTHING_FOUND || !this.isRestored) return;
    this.last = attempt;
    this.ctx.keep(this.ref, this.form.withoutSecrets(attempt.found));
  }

  /** A secret that is still there after a refusal is not lost: the next run finds it again. */
  async failed(error: unknown, look: () => Promise<SettingValues>): Promise<void> {
    if (this.last === undefined || isAmbiguous(error)) return;
    const { found, before, current, names } = this.last;
    const hasSecrets = this.secretsIn(found).some((name) => !this.secretsIn(before).includes(name));
    const now = hasSecrets ? await look().catch(() => undefined) : undefined;
    if (now === undefined) return;
    const then = Object.fromEntries(names.map((name) => [name, current[name]]));
    const isAsBefore = this.form.differing(this.ref, now, then).length === 0;
    if (isAsBefore) this.ctx.keep(this.ref, this.form.withoutSecrets(before));
  }

  private secretsIn(found: Found): readonly string[] {
    return this.form.withoutSecrets(found).__found.secrets ?? [];
  }
}
