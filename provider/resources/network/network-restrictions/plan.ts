import { InvalidInputError } from "../../../client/errors/errors";
import { defineProblem } from "../../../client/errors/problem";
import { formatCodeList } from "../../../define/format-code-list";
import { isSet, type SettingValues } from "../../../settings/mapping/original-values";
import type { SettingsMapping } from "../../../settings/mapping/settings-mapping";
import type { SettingsPlan, SettingsPlanRequest } from "../../../settings/plan/settings-plan";
import { toCanonicalCidr, cidrProblems, isWithin } from "../shared/cidrs";
import { isInPlan, networkProblems, pendingChange, UNKNOWN_TIME } from "../shared/network-lists";

export const problems = {
  ...networkProblems,
  noCidrV4: cidrProblems.noCidrV4,
  noCidrV6: cidrProblems.noCidrV6,
  nobodyAllowed: defineProblem({
    says: "the declared lists are empty, so nobody could connect to the database: {remedy}",
    means: "`allowedCidrs` and `allowedCidrsV6` allow no address.",
    remedy: "Add an entry to either list, or set `denyAll: true` if that is what you want",
  }),
  hasOthers: defineProblem({
    says: "the project {ref} also allows {entries}, which neither the program nor Pulumi's state has. Writing the list would remove them. Nothing was changed. {remedy}.",
    means:
      "The lists have entries from another program or from the console. The entries `0.0.0.0/0` and `::/0` of a new project are removed without asking.",
    remedy:
      "Declare them too, or manage only your own entries with `AllowedCidr`. To remove them, set `replaceOthers: true`",
  }),
  unseenList: defineProblem({
    says: "the service does not show {settings} of the project {ref}. Writing the lists could remove entries that it has. Nothing was changed. {remedy}.",
    means: "An answer of the service lacked a list. The service replaces both lists with each write.",
    remedy:
      "Run again. If the service never shows it, manage only your own entries with `AllowedCidr`, or set `replaceOthers: true`",
  }),
  otherPending: defineProblem({
    says: "another change of the network restrictions of the project {ref} waits for approval since {time}. Writing the lists would take its place. Nothing was changed. {remedy}.",
    means:
      "The service has changes reviewed, and one that the program does not declare waits. It may be somebody else's, or one that the program asked for before it was edited.",
    remedy: "Have that change approved or rejected, or set `replaceOthers: true` to replace it",
  }),
  staysNarrow: defineProblem({
    says: "{settings} of the project {ref} were not restored: the earlier lists are unknown or would allow more addresses. {remedy}.",
    means:
      "Warning. The program no longer declares the resource or a list. The earlier lists are restored only if that allows no additional addresses.",
    remedy: "To allow more addresses, declare their ranges or set the lists in the service's console",
  }),
};

/** The entries with which a new project lets everybody in. */
const EVERYBODY = ["0.0.0.0/0", "::/0"];

/**
 * Lists go back only as far as that lets nobody in who is not in now. A write that no plan has shown is refused, and where the
 * plan of the organization lacks the feature, none is made.
 */
export function adjustRestrictions(
  usual: SettingsPlan,
  request: SettingsPlanRequest,
  mapping: SettingsMapping,
): SettingsPlan {
  const { ref, wire, current, isDelete } = request;
  const known = mapping.convertDeclared(request.state);
  const plan = narrowReleased(usual, known, current, mapping);
  if (isDelete !== true) refuseLoss(plan, known, request, mapping);
  if (isInPlan(wire)) {
    const settings = formatCodeList(plan.staying);
    const warnings = plan.staying.length === 0 ? [] : [problems.staysNarrow.message({ ref, settings })];
    return keepPendingChange({ ...plan, warnings: [...plan.warnings, ...warnings] }, request, mapping);
  }
  const message = problems.notInPlan.message({ ref });
  if (isDelete !== true) throw new InvalidInputError("projectRef", message);
  const isPointless = mapping.listDiffering(ref, current, plan.wanted).length + plan.staying.length === 0;
  return { ...plan, wanted: {}, released: [], warnings: isPointless ? [] : [message] };
}

/** A change that waits for approval is not asked for again, and nobody else's is taken back. */
function keepPendingChange(
  plan: SettingsPlan,
  { ref, wire, current, inputs, isDelete }: SettingsPlanRequest,
  mapping: SettingsMapping,
): SettingsPlan {
  const pending = pendingChange.safeParse(wire["pending"]).data;
  if (pending === undefined) return plan;
  const { requestedAt: time = UNKNOWN_TIME, ...lists } = pending;
  if (isDelete === true) {
    const warnings = [...plan.warnings, problems.stillPending.message({ ref, time })];
    return { ...plan, wanted: {}, released: [], warnings };
  }
  if (mapping.listDiffering(ref, current, plan.wanted).length === 0) return plan;
  const asked = { ...current, ...lists };
  if (mapping.listDiffering(ref, asked, { ...current, ...plan.wanted }).length === 0) {
    return {
      ...plan,
      wanted: {},
      warnings: [...plan.warnings, problems.awaitsReview.message({ ref, time })],
    };
  }
  if (inputs["replaceOthers"] === true) return plan;
  throw new InvalidInputError("replaceOthers", problems.otherPending.message({ ref, time }));
}

/** The plan in which a list goes back without what was declared, and stays where more than now would be let in. */
function narrowReleased(
  plan: SettingsPlan,
  known: SettingValues,
  current: SettingValues,
  mapping: SettingsMapping,
): SettingsPlan {
  const wanted: Record<string, unknown> = { ...plan.wanted };
  const staying: string[] = [];
  // A write replaces both lists, and so also one that the answer lacks.
  const areShown = listUnseen(mapping, current).length === 0;
  for (const name of plan.released) {
    const found = wanted[name];
    const back =
      areShown && Array.isArray(found)
        ? narrowOriginals(
            normalizeCidrList(found),
            normalizeCidrList(known[name]),
            normalizeCidrList(current[name]),
          )
        : undefined;
    if (back === undefined) {
      staying.push(name);
      Reflect.deleteProperty(wanted, name);
    } else wanted[name] = back;
  }
  const released = plan.released.filter((name) => !staying.includes(name));
  return { ...plan, wanted, released, staying: [...staying, ...plan.staying] };
}

/** The list without what was declared and with what was found, unless that lets somebody in who is not in now. */
function narrowOriginals(
  found: readonly string[],
  declared: readonly string[],
  current: readonly string[],
): string[] | undefined {
  const others = current.filter((cidr) => !declared.includes(cidr));
  const back = [...new Set([...others, ...found])];
  return back.every((cidr) => current.some((wider) => isWithin(cidr, wider))) ? back : undefined;
}

/** Throws where a write would take away entries that neither the program nor Pulumi's state has. */
function refuseLoss(
  { wanted }: SettingsPlan,
  known: SettingValues,
  { ref, current, inputs }: SettingsPlanRequest,
  mapping: SettingsMapping,
): void {
  if (inputs["replaceOthers"] === true) return;
  const unseen = listUnseen(mapping, current);
  if (unseen.length > 0 && mapping.listDiffering(ref, current, wanted).length > 0) {
    const settings = formatCodeList(unseen);
    throw new InvalidInputError("replaceOthers", problems.unseenList.message({ ref, settings }));
  }
  const entries = Object.keys(wanted).flatMap((name) => {
    const shown = [...normalizeCidrList(wanted[name]), ...normalizeCidrList(known[name]), ...EVERYBODY];
    return normalizeCidrList(current[name]).filter((cidr) => !shown.includes(cidr));
  });
  if (entries.length === 0) return;
  throw new InvalidInputError(
    "replaceOthers",
    problems.hasOthers.message({ ref, entries: formatCodeList(entries) }),
  );
}

/** The lists that an answer lacks: what they hold is not known. */
function listUnseen(mapping: SettingsMapping, current: SettingValues): string[] {
  return mapping.names.filter((name) => !isSet(current[name]));
}

function normalizeCidrList(list: unknown): string[] {
  return Array.isArray(list) ? toCanonicalList(list.map(String)) : [];
}

/** In canonical spelling, whatever the service makes of host bits. */
export function toCanonicalList(cidrs: readonly string[]): string[] {
  return [...new Set(cidrs.map(toCanonicalCidr))];
}
