import { placeholderPrefix } from "../../../spec/names/neutral-words";
import { InvalidInputError } from "../../client/errors/errors";
import type { Problem } from "../../client/errors/problem";
import { formatCodeList } from "../../define/format-code-list";
import { unknownSettingProblems, unnamedSettingProblems } from "../../define/problems";
import type { SettingValues } from "../mapping/original-values";
import type { AnySettings } from "../settings-definition";
import type { SettingsMapping, WireValues } from "../mapping/settings-mapping";

type ListedProblem = Problem<"settings" | "type" | "ref">;

/** The settings that a service does not have, as its answer shows. */
export class MissingSettings {
  constructor(
    private readonly definition: Pick<AnySettings, "type" | "newer">,
    private readonly mapping: SettingsMapping,
  ) {}

  /** Whether an installation may have other words in the names of settings. */
  get hasPlaceholders(): boolean {
    return this.mapping.names.some((name) => placeholderPrefix(this.fieldOf(name)) !== undefined);
  }

  /** The settings that this service does not know: its answer has no such field, not even null. */
  listUnsupported(answer: WireValues): string[] {
    const { newer } = this.definition;
    if (newer === undefined) return [];
    return this.mapping.names.filter((name) => {
      const field = this.fieldOf(name);
      return Object.hasOwn(newer, field) && answer[field] === undefined;
    });
  }

  /** What may be sent of these values. */
  omit(values: SettingValues, answer: WireValues): SettingValues {
    const missing = [...this.listUnsupported(answer), ...this.listUnnamed(answer)];
    return Object.fromEntries(Object.entries(values).filter(([name]) => !missing.includes(name)));
  }

  /** Throws where one of these settings is missing: a program is to bring it about. */
  refuse(names: readonly string[], answer: WireValues, ref: string): void {
    const refuseListed = (missing: readonly string[], problem: ListedProblem): void => {
      const declared = missing.filter((name) => names.includes(name));
      const [first] = declared;
      if (first === undefined) return;
      throw new InvalidInputError(first, problem.message(this.describe(declared, ref)));
    };
    refuseListed(this.listUnnamed(answer), unnamedSettingProblems.unnamedSetting);
    refuseListed(this.listUnsupported(answer), unknownSettingProblems.unknownSetting);
  }

  /** What the user is warned of where the state has some of them. */
  listWarnings(state: SettingValues, answer: WireValues, ref: string): string[] {
    const describeListed = (missing: readonly string[], problem: ListedProblem): string[] => {
      const declared = missing.filter((name) => this.mapping.isGiven(state, name));
      return declared.length === 0 ? [] : [problem.message(this.describe(declared, ref))];
    };
    return [
      ...describeListed(this.listUnsupported(answer), unknownSettingProblems.unknownSettingShown),
      ...describeListed(this.listUnnamed(answer), unnamedSettingProblems.unnamedSettingShown),
    ];
  }

  /**
   * The settings with a placeholder in their names, of which the answer has none though it has others: the installation has
   * another word for it.
   */
  private listUnnamed(answer: WireValues): string[] {
    const shown = Object.keys(answer).filter((field) => answer[field] !== undefined);
    if (!this.mapping.names.some((name) => shown.includes(this.fieldOf(name)))) return [];
    return this.mapping.names.filter((name) => {
      const prefix = placeholderPrefix(this.fieldOf(name));
      return prefix !== undefined && !shown.some((field) => field.startsWith(prefix));
    });
  }

  private fieldOf(name: string): string {
    return this.mapping.wirePathOf(name)[0] ?? "";
  }

  private describe(names: readonly string[], ref: string) {
    return { settings: formatCodeList(names), type: this.definition.type, ref };
  }
}
