import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { createComponentNames } from "../components/declared-names";
import { traitsOf, fieldOf, listMarkedFields } from "../define/markers";
import { topName } from "../define/property-path";
import type { AnyResource } from "../define/resource";
import { addAutonames, type NamingRequest } from "../engine/schema/autoname";
import { checkInputs } from "../engine/check";
import { createResource } from "../engine/create/create";
import { listImportAdvice, listHiddenSecrets, importResource } from "../engine/import";
import { readInterruptedNames } from "../engine/create/resume";
import { checkAgainstProgram } from "../engine/program-conflicts";
import { formatSubject } from "../engine/step/runtime";
import { isOwnKey, type Values } from "../define/values";
import { hasDeclared, pickOutputs, composeState } from "../engine/step/state";
import { deleteResource } from "../engine/delete";
import { readResource } from "../engine/read";
import { updateResource } from "../engine/update";
import { diffForUpdate, diffResource } from "../engine/diff";
import { describeCreation } from "../engine/plan-lines";
import { describeNotSentIfAdopted } from "../engine/step/adopted";
import { omitPropertyName } from "../engine/step/errors";
import type { PluginProcess } from "./plugin-process";
import type { RequestSubject } from "./subject";
import { formatCodeList } from "../define/format-code-list";
import { UNKNOWN, omitUnknown } from "../define/unknown";
import { readMarks } from "../define/state-marks";
import { createClaim } from "../ledger/claim";

/** Checks inputs without any call: names are made up, faults are reported with their paths. */
export function check(
  plugin: PluginProcess,
  subject: RequestSubject,
  request: proto.CheckRequest,
): proto.CheckResponse {
  const { resource } = subject;
  const before = subject.state(request.getOlds());
  // The engine sends no old inputs for a resource that is not there yet.
  const isNew = Object.keys(before).length === 0;
  const names = isNew
    ? readInterruptedNames(subject.createRuntime(0), resource, subject.addOwner({}))
    : before;
  const named = addAutonames(resource, subject.readInputs(request.getNews()), names, readNaming(request));
  const redaction = { redact: plugin.print, isSecret: subject.isSecret };
  const runtime = subject.createRuntime(0);
  const owner = subject.urn;
  const known = isNew ? undefined : before;
  const { inputs, failures, warnings, notes } = checkInputs(resource, named, known, redaction, {
    owner,
    isReplaceable: (parent) => runtime.program.isReplaceable(parent),
    installation: runtime.installation(),
  });
  if (failures.length === 0) runtime.program.recordCheck(resource.type, owner, inputs, known);
  const response = new proto.CheckResponse();
  response.setInputs(subject.toAnswer(inputs));
  const line = formatSubject(resource, inputs, createClaim(resource, omitUnknown(inputs), owner));
  const declared = createComponentNames(resource, owner);
  for (const warning of warnings) runtime.warn(warning, line);
  for (const note of notes) runtime.info(note, line);
  const sameName = checkAgainstProgram(runtime.program, resource, subject.addOwner(inputs), failures);
  const own = [...failures, ...sameName].map(declared.failure);
  for (const failure of [...own, ...runtime.ledger.listFolderFailures()]) {
    response.addFailures(toCheckFailure(omitPropertyName(failure, plugin.print)));
  }
  return response;
}

export function toCheckFailure({
  property,
  reason,
}: ReturnType<typeof omitPropertyName>): proto.CheckFailure {
  const failure = new proto.CheckFailure();
  failure.setProperty(property);
  failure.setReason(reason);
  return failure;
}

const MODES = ["propose", "enforce", "disable"] as const;

function readNaming(request: proto.CheckRequest): NamingRequest {
  const options = request.getAutonaming();
  return {
    name: request.getName() || (request.getUrn().split("::").at(-1) ?? ""),
    randomSeed: request.getRandomseed_asU8(),
    mode: options === undefined ? "default" : MODES[options.getMode()],
    proposedName: options?.getProposedName() ?? "",
  };
}

/** Names every property that changes by its exact path. */
export function diff(subject: RequestSubject, request: proto.DiffRequest): proto.DiffResponse {
  const { resource } = subject;
  const { id, state } = subject.resolveTarget(request.getId(), subject.state(request.getOlds()));
  const inputs = subject.addOwner(subject.readInputs(request.getNews()));
  const isSecret = (name: string): boolean => subject.isSecretInState(name) || subject.isSecret(name);
  const found = diffResource(subject.createRuntime(0), resource, id, state, inputs, isSecret);
  const { DIFF_SOME, DIFF_NONE } = proto.DiffResponse.DiffChanges;
  const response = new proto.DiffResponse();
  response.setChanges(found.changes ? DIFF_SOME : DIFF_NONE);
  response.setReplacesList([...found.replaces]);
  response.setDeletebeforereplace(found.deleteBeforeReplace);
  response.setStablesList(listStableOutputs(resource));
  response.setDiffsList([...new Set(found.properties.map(({ path }) => topName(path)))]);
  // Of a resource that has only not settled yet there is nothing to show.
  response.setHasdetaileddiff(found.properties.length > 0);
  for (const { path, kind, replaces, isOutput } of found.properties) {
    const detail = new proto.PropertyDiff();
    detail.setKind(KINDS[kind][replaces ? 1 : 0]);
    detail.setInputdiff(isOutput !== true);
    response.getDetaileddiffMap().set(path, detail);
  }
  return response;
}

const { Kind } = proto.PropertyDiff;
const KINDS = {
  add: [Kind.ADD, Kind.ADD_REPLACE],
  update: [Kind.UPDATE, Kind.UPDATE_REPLACE],
  delete: [Kind.DELETE, Kind.DELETE_REPLACE],
} as const;

export async function create(
  subject: RequestSubject,
  request: proto.CreateRequest,
): Promise<proto.CreateResponse> {
  const { resource } = subject;
  const inputs = subject.readInputs(request.getProperties());
  const response = new proto.CreateResponse();
  if (request.getPreview()) {
    const line = describeNotSentIfAdopted(resource, inputs);
    const { program } = subject.createRuntime(0);
    const planned = describeCreation(program, resource, subject.addOwner(inputs));
    for (const each of [...(line === undefined ? [] : [line]), ...planned])
      subject.createRuntime(0).info(each, resource.type);
    response.setProperties(subject.toAnswer(previewCreate(resource, inputs)));
    return response;
  }
  const runtime = subject.createRuntime(request.getTimeout());
  const { id, state } = await createResource(runtime, resource, subject.addOwner(inputs));
  response.setId(id);
  response.setProperties(subject.toAnswer(state));
  return response;
}

/** Serves refresh, where state is known, and import, where an id is all there is. */
export async function read(subject: RequestSubject, request: proto.ReadRequest): Promise<proto.ReadResponse> {
  const { resource } = subject;
  const state = subject.state(request.getProperties());
  const before = subject.readInputs(request.getInputs());
  const runtime = subject.createRuntime(request.getTimeout());
  // A program that only looks something up, with `get`, gives properties, be they none; it declares nothing.
  const isManaged = !request.hasProperties();
  const found = hasDeclared(state)
    ? await readResource(runtime, resource, request.getId(), subject.addOwner(state))
    : await importResource(runtime, resource, request.getId(), isManaged);
  const response = new proto.ReadResponse();
  // The engine takes an empty id for "gone".
  if (found === undefined) return response;
  const hidden = listHiddenSecrets(resource, found.inputs);
  if (isManaged && hidden.length > 0) {
    runtime.warn(
      `the service does not return ${formatCodeList(hidden)}: the imported resource does not manage it until the program declares it.`,
      resource.type,
    );
  }
  for (const line of isManaged && !hasDeclared(state) ? listImportAdvice(resource) : []) {
    runtime.info(line, resource.type);
  }
  response.setId(found.id);
  response.setProperties(subject.toAnswer(found.state));
  response.setInputs(subject.toAnswer({ ...pickUnseen(resource, before), ...found.inputs }));
  return response;
}

/** Inputs that the service does not have: marks, and what matters while creating only. */
function pickUnseen(resource: AnyResource, inputs: Values): Values {
  return Object.fromEntries(
    Object.entries(inputs).filter(([name]) => {
      const field = fieldOf(resource.inputs, name);
      return isOwnKey(name) || (field !== undefined && traitsOf(field).createOnly === true);
    }),
  );
}

export async function update(
  subject: RequestSubject,
  request: proto.UpdateRequest,
): Promise<proto.UpdateResponse> {
  const { resource } = subject;
  const { id, state } = subject.resolveTarget(request.getId(), subject.state(request.getOlds()));
  const inputs = subject.readInputs(request.getNews());
  const response = new proto.UpdateResponse();
  if (request.getPreview()) {
    const nowMs = subject.createRuntime(0).clock.now();
    response.setProperties(subject.toAnswer(previewUpdate(resource, state, inputs, nowMs)));
    return response;
  }
  const runtime = subject.createRuntime(request.getTimeout());
  const declared = subject.addOwner(inputs);
  const updated = await updateResource(runtime, resource, id, state, declared);
  response.setProperties(subject.toAnswer(updated.state));
  return response;
}

export async function remove(subject: RequestSubject, request: proto.DeleteRequest): Promise<void> {
  const { id, state } = subject.resolveTarget(request.getId(), subject.state(request.getProperties()));
  await deleteResource(
    subject.createRuntime(request.getTimeout()),
    subject.resource,
    id,
    subject.addOwner(state),
  );
}

/** What a new resource will have: its inputs as declared, its outputs not known yet. */
export function previewCreate(resource: AnyResource, inputs: Values): Values {
  return { ...createUnknownOutputs(resource), ...composeState(resource, inputs, {}) };
}

/** What the resource will have after the update: only what cannot change is known of its outputs. */
export function previewUpdate(resource: AnyResource, state: Values, inputs: Values, nowMs: number): Values {
  const outputs = pickOutputs(resource, state);
  const { changed, renewed } = diffForUpdate(resource, state, inputs, nowMs);
  // A change of the provider's own options reaches the service no more than the outputs.
  if (changed.size === 0 && renewed.length === 0 && !readMarks(state).isPending)
    return composeState(resource, inputs, { outputs });
  const kept = Object.fromEntries(listStableOutputs(resource, changed).map((name) => [name, outputs[name]]));
  return { ...createUnknownOutputs(resource), ...composeState(resource, inputs, { outputs: kept }) };
}

/** Outputs that stay what they are while the resource lives, also where these inputs change. */
export function listStableOutputs(resource: AnyResource, changed: ReadonlySet<string> = new Set()): string[] {
  return listMarkedFields(resource.outputs)
    .filter(
      ([name, , { stable, changesWith = "" }]) =>
        (stable === true && !changed.has(changesWith)) || name === resource.idOutput,
    )
    .map(([name]) => name);
}

function createUnknownOutputs(resource: AnyResource): Values {
  return Object.fromEntries(Object.keys(resource.outputs.shape).map((name) => [name, UNKNOWN]));
}
