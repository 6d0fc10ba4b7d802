import { z } from "zod";
import { quoteText } from "../../../../spec/shown-text";
import { InvalidInputError } from "../../../client/errors/errors";
import { formatCodeList } from "../../../define/format-code-list";
import { inProject } from "../../../define/import-id";
import { listInProject, UUID } from "../../../define/list";
import { requireProjectRef } from "../../../define/require-project-ref";
import {
  defineResource,
  NotDeclarableError,
  type CheckFailure,
  type CheckResult,
} from "../../../define/resource";
import { readMarks } from "../../../define/state-marks";
import { refuseEmptyListing } from "../../../lookup/unproven-absence";
import {
  createLogDrain,
  deleteLogDrain,
  listLogDrainsOnce,
  updateLogDrain,
  type LogDrainRecord,
} from "./calls";
import { logDrainInputs, type LogDrainInputs } from "./fields";
import { problems } from "./problems";
import { KINDS, type LogDrainKind } from "./shapes";
import {
  composeUpdate,
  findKind,
  isConfigChanged,
  listUnsaid,
  readKind,
  readShownKind,
  toAttributes,
  toInputs,
} from "./wire";

/** Where the service sends the logs of a project. */
export const logDrain = defineResource({
  type: "LogDrain",
  description:
    "A destination to which the service sends the logs of a project. Exactly one configuration is declared. A change of it sends all of it, with its credentials. An empty credential says that there is none, and is not sent. Some installations do not have this operation, and the free plan does not include it.",
  inputs: logDrainInputs,
  outputs: z.object({}),
  timeouts: { create: 300, update: 300, delete: 300 },
  labelledBy: "name",
  importId: {
    ...inProject("logDrainId", "the project's log drains in the service's console"),
    alsoDeclares: ["description", ...KINDS],
    leavesOut:
      "the import declares no credentials and no addresses of log drains. They stay on the drain; declare them before you change its configuration, because such an update sends all of it.",
  },
  list: listInProject(
    async (ctx, ref) =>
      Array.from((await listLogDrainsOnce(ctx, ref)).values(), (each) => ({
        id: each.id,
        name: formatDrain(each),
      })),
    UUID,
  ),
  problems,
  // Whether a name can exist twice is not known (service, Log drains).
  createsDuplicates: () => true,

  check: (inputs, isUnknown) => checkKinds(inputs, isUnknown),

  async find(ctx, declared) {
    const kind = findKind(declared);
    return [...(await listLogDrainsOnce(ctx, declared.projectRef)).values()]
      .filter(({ attributes }) => (attributes?.name ?? declared.name) === declared.name)
      .filter((each) => each.attributes?.backend_type == null || readKind(each) === kind)
      .map((each) => ({ id: each.id, label: formatDrain(each) }));
  },

  async read(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const record = (await listLogDrainsOnce(ctx, ref)).get(id);
    if (record === undefined) return undefined;
    const { backend_type: kind } = record.attributes ?? {};
    if (state.name === undefined && kind != null && readKind(record) === undefined)
      throw new NotDeclarableError("id", problems.undeclarable.message({ id, kind: quoteText(kind) }));
    return { inputs: { ...toInputs(record, state), projectRef: ref }, outputs: {} };
  },

  async create(ctx, declared) {
    const attributes = toAttributes(declared, requireKind(declared));
    return { id: await createLogDrain(ctx, declared.projectRef, attributes) };
  },

  diff(state, inputs) {
    const kind = findKind(inputs);
    if (
      kind === undefined ||
      !readMarks(state).isAdopted ||
      !isConfigChanged(kind, state[kind], { ...inputs[kind] })
    )
      return {};
    return { failures: explainMissing(listUnsaid(kind, { ...inputs[kind] }, { ...state[kind] })) };
  },

  async update(ctx, { id, state, inputs: declared, changed }) {
    const { projectRef: ref } = declared;
    const shown = (await listLogDrainsOnce(ctx, ref)).get(id);
    if (shown === undefined) await refuseEmptyListing(ctx, ref, "log drains");
    const { isAdopted } = ctx.ledger;
    const kind = requireKind(declared);
    const shownKind = shown === undefined ? undefined : readShownKind(shown);
    if (shownKind !== undefined && shownKind !== kind) {
      const values = { shown: quoteText(shownKind), kind };
      throw new InvalidInputError("backendType", problems.otherKind.message(values));
    }
    // What is only recorded is no change.
    if (changed.size === 0) return {};
    const composed = composeUpdate(declared, kind, state, { shown, isAdopted, changed });
    const { attributes, missing, unknownHidden } = composed;
    const [failure] = explainMissing(missing);
    if (failure !== undefined) throw new InvalidInputError(failure.path, failure.reason);
    if (unknownHidden.length > 0) {
      const names = unknownHidden.map(quoteText).join(", ");
      throw new InvalidInputError(kind, problems.unknownHidden.message({ names }));
    }
    await updateLogDrain(ctx, ref, id, attributes);
    return {};
  },

  delete: (ctx, { id, state }) => deleteLogDrain(ctx, requireProjectRef(state), id),
});

function checkKinds(
  inputs: Partial<LogDrainInputs>,
  isUnknown: (name: LogDrainKind) => boolean,
): CheckResult<LogDrainInputs> {
  const given = KINDS.filter((kind) => inputs[kind] !== undefined || isUnknown(kind));
  const kinds = formatCodeList(KINDS);
  const [only, second] = given;
  if (only === undefined)
    return { failures: [{ path: "webhook", reason: problems.noKind.message({ kinds }) }] };
  if (second === undefined) return { computed: { backendType: only } };
  const reason = problems.severalKinds.message({ given: formatCodeList(given), kinds });
  return { failures: [{ path: second, reason }] };
}

function explainMissing(missing: readonly string[]): CheckFailure[] {
  const [first] = missing;
  if (first === undefined) return [];
  return [
    { path: first, reason: problems.credentialsNotDeclared.message({ names: formatCodeList(missing) }) },
  ];
}

function requireKind(declared: LogDrainInputs): LogDrainKind {
  const kind = findKind(declared);
  if (kind !== undefined) return kind;
  throw new InvalidInputError("webhook", problems.noKind.message({ kinds: formatCodeList(KINDS) }));
}

function formatDrain({ attributes }: LogDrainRecord): string {
  return `${attributes?.name ?? "no name"} (${attributes?.backend_type ?? "unknown kind"})`;
}
