import { fieldOf, listMarkedFields, traitsOf } from "../define/markers";
import type { AnyResource, CheckFailure, Installation } from "../define/resource";
import { formatCodeList } from "../define/format-code-list";
import { formatPath, topName } from "../define/property-path";
import { findableProblems, inputProblems } from "./step/problems";
import { describeIssues, NO_REDACTION, type Redaction } from "./schema/describe-issue";
import { hideForeignKeys } from "./schema/secrets";
import { listUnlistedValues, type UnlistedValueText } from "./schema/unlisted-values";
import { isOwnKey, type Values } from "../define/values";
import { explainRefusal, judgeReplacement, listReplacingNames, type Replacement } from "./replacement";
import { isObject } from "../../spec/is-object";
import { hasUnknown } from "../define/unknown";
import { OWNER } from "../ledger/owner";

export interface CheckedInputs {
  /** The inputs to go on with: as given, without nulls, with computed ones added. */
  readonly inputs: Values;
  readonly failures: readonly CheckFailure[];
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
}

/** Whose inputs are checked, in which run. */
export interface CheckContext {
  readonly owner: string;
  readonly isReplaceable: Replacement["isReplaceable"];
  readonly installation?: Installation;
}

const NO_PROGRAM: CheckContext = { owner: "", isReplaceable: () => false };

/**
 * Validates without any call. Every failure is reported at once; what is not known yet is not judged. `before` holds
 * the inputs of the resource where it exists already: what they do not allow to be changed is refused here, as a refresh and a
 * destroy check nothing.
 */
export function checkInputs(
  resource: AnyResource,
  news: Values,
  before?: Values,
  redaction: Redaction = NO_REDACTION,
  program: CheckContext = NO_PROGRAM,
): CheckedInputs {
  const given: Values = {};
  const own: Values = {};
  for (const [name, value] of Object.entries(news)) {
    if (isOwnKey(name)) own[name] = value;
    else if (value !== null && value !== undefined) given[name] = value;
  }
  for (const [name, , traits] of listMarkedFields(resource.inputs)) {
    if (traits.secret === true && given[name] === "" && isUnmanaged(name, before)) {
      // What `pulumi import` writes for a required property that it was not shown.
      Reflect.deleteProperty(given, name);
    }
    if (traits.computed !== true || given[name] === undefined) continue;
    // A refresh writes computed inputs into the program's inputs; what a program sets is replaced by what check computes.
    Reflect.deleteProperty(given, name);
  }
  const parsed = resource.inputs.safeParse(given);
  const issues = (parsed.error?.issues ?? []).filter((issue) => {
    if (touchesUnknown(given, issue.path)) return false;
    if (issue.code === "invalid_type" && isComputed(resource, issue.path)) return false;
    return issue.path.length !== 1 || !isHiddenFromImport(resource, String(issue.path[0]), given, before);
  });
  const failures = [
    ...describeIssues(issues, resource.inputs, given, redaction),
    ...(before === undefined ? listEmptiedByAdoption(resource, given) : []),
  ];
  const faulty = new Set(failures.map(({ path }) => topName(path)));
  // A rule over several fields takes a field that is itself at fault for one that is not known yet.
  const unknown = new Set(Object.keys(given).filter((name) => faulty.has(name) || hasUnknown(given[name])));
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => !unknown.has(name)));
  const further = resource.check?.(known, (name) => unknown.has(name), before, program.installation);
  for (const { path, reason } of further?.failures ?? []) {
    const name = topName(path);
    if (!faulty.has(name))
      failures.push({ path: formatShownPath(resource, path, redaction.isSecret(name)), reason });
  }
  const inputs = { ...given, ...(further?.computed ?? {}), ...own };
  const unlisted = listUnlistedValues(resource, given, faulty, redaction);
  const { owner, isReplaceable } = program;
  if (before !== undefined) {
    const replacement = { resource, known: before, inputs: { [OWNER]: owner, ...inputs }, isReplaceable };
    const replacing = listReplacingNames(replacement).filter((name) => !faulty.has(name));
    const refused = judgeReplacement(replacement, replacing);
    failures.push(...refused.map((refusal) => explainRefusal(replacement, refusal, redaction.isSecret)));
    if (replacing.length > 0 && refused.length === 0)
      failures.push(...unlisted.map((each) => refuseUnlisted(resource, each, replacing)));
  }
  const warnings = unlisted.map(({ path, ...told }) => inputProblems.unlisted.message({ path, ...told }));
  return {
    inputs,
    failures,
    warnings: [...warnings, ...(further?.warnings ?? [])],
    notes: further?.notes ?? [],
  };
}

/** What is deleted for it could not be made again, if the service rejects the value. */
export function refuseUnlisted(
  { type }: AnyResource,
  { path, ...told }: UnlistedValueText,
  replacing: readonly string[],
): CheckFailure {
  const names = formatCodeList(replacing);
  return { path, reason: inputProblems.unlistedInReplacement.message({ ...told, type, names }) };
}

/** `pulumi import` prints an empty text for a secret that it was not shown: adopting with that line would empty the secret. */
function listEmptiedByAdoption(resource: AnyResource, given: Values): CheckFailure[] {
  if (given["adopt"] !== true && given["adoptId"] === undefined) return [];
  return listMarkedFields(resource.inputs).flatMap(([name, , { secret }]) =>
    secret === true && given[name] === ""
      ? [{ path: name, reason: findableProblems.adoptsEmptySecret.message() }]
      : [],
  );
}

/** Without keys that the program chose within a secret. */
function formatShownPath(resource: AnyResource, path: string, isMarked: boolean): string {
  const keys = [...path.matchAll(/\[(\d+)\]|([^.[\]"]+)/g)].map(([, index, key = ""]) =>
    index === undefined ? key : Number(index),
  );
  const shown = hideForeignKeys(resource.inputs, keys, isMarked);
  return shown.every((key, at) => key === keys[at]) ? path : formatPath(shown);
}

function isComputed(resource: AnyResource, path: readonly PropertyKey[]): boolean {
  return listMarkedFields(resource.inputs).some(
    ([name, , traits]) => traits.computed === true && name === path[0],
  );
}

/** A secret that the service does not show is missing in what was imported: it is not managed until it is declared. */
function isHiddenFromImport(
  resource: AnyResource,
  name: string,
  given: Values,
  before: Values | undefined,
): boolean {
  const field = fieldOf(resource.inputs, name);
  return (
    given[name] === undefined &&
    isUnmanaged(name, before) &&
    field !== undefined &&
    traitsOf(field).secret === true
  );
}

/** Whether a resource that is there already does not have the input. */
function isUnmanaged(name: string, before: Values | undefined): boolean {
  return before !== undefined && before[name] === undefined;
}

/** Whether the value at `path`, or one on the way to it, is not known yet. */
function touchesUnknown(inputs: Values, path: readonly PropertyKey[]): boolean {
  let at: unknown = inputs;
  for (const key of path) {
    if (Array.isArray(at)) at = at[Number(key)];
    else if (isObject(at)) at = at[String(key)];
    else break;
  }
  return path.length > 0 && hasUnknown(at);
}
