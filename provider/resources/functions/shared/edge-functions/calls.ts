import { join, posix, relative, resolve, sep } from "node:path";
import type { z } from "zod";
import type { functionDeployBody, updateFunctionBody } from "../../../../../spec/operations/functions";
import { ApiError, InvalidInputError, isNotFound, mayBeUnderWay } from "../../../../client/errors/errors";
import { replaceMessage, quoteServiceMessage } from "../../../../client/errors/with-message";
import type { Api, Context, InheritedPart, ProgramView } from "../../../../define/context";
import { requireIdentifiers } from "../../../../define/list";
import { callWhenReady } from "../../../../waiting/project-health";
import { findWhileUnderWay, writeOnce } from "../../../../waiting/write-once";
import { removeName, waitForRemovals } from "../named-set";
import { edgeFunctionProblems, SourceFault } from "./problems";
import { readSource, REGISTRY_FILE, toUpload, type DeploySource, type SourceInputs } from "./source";

/** A function as the service lists it. */
export type FunctionRecord = Awaited<ReturnType<Api["listFunctions"]>>[number];

export interface DeployInputs extends SourceInputs {
  readonly projectRef: string;
  readonly slug: string;
  readonly name?: string | undefined;
  readonly verifyJwt?: boolean | undefined;
}

/** As users call them, and as resources of several types share them. */
export const EDGE_FUNCTIONS = "edge functions";

const listKey = (ref: string): string => `functions:${ref}`;

/** The functions of a project by slug: one listing for all resources of a run, kept true by what `deploy` answers. */
export async function listFunctionsOnce(ctx: Context, ref: string): Promise<Map<string, FunctionRecord>> {
  return ctx.shared.list(listKey(ref), () => listFunctions(ctx, ref));
}

/** More than a program may declare: what other tools have deployed. */
export const DEPLOYED_SLUG = /^[\w-]+$/;

async function listFunctions(
  ctx: Context,
  ref: string,
  warned: Pick<Context, "warn"> = ctx,
): Promise<Map<string, FunctionRecord>> {
  const listed = (await ctx.api.listFunctions({ ref })).filter(({ status }) => status !== "REMOVED");
  const functions = requireIdentifiers(warned, listed, ({ slug }) => slug, DEPLOYED_SLUG);
  return new Map(functions.map((each) => [each.slug, each]));
}

/** A listing that is asked for again and again says nothing of what the first has said. */
function listFunctionsAgain(ctx: Context, ref: string): Promise<Map<string, FunctionRecord>> {
  return listFunctions(ctx, ref, { warn: () => undefined });
}

export function forgetFunctions(ctx: Context, ref: string): void {
  ctx.shared.forget(listKey(ref));
}

/**
 * Writes to the functions of a project go one at a time, and listings that confirm them between them: the service loses deploys
 * and deletes that overlap (service, Edge functions).
 */
function writesOf(ref: string): string {
  return `writes of functions:${ref}`;
}

/** Runs a write when no other of the project's functions is under way. */
export function writeInTurn<T>(ctx: Context, ref: string, send: () => Promise<T>): Promise<T> {
  return ctx.inTurn(writesOf(ref), send);
}

/** Sends the source. Each deploy raises the version, so the look-up after an unclear outcome is not this function's. */
export async function sendDeploy(ctx: Context, inputs: DeployInputs): Promise<FunctionRecord> {
  const { projectRef: ref, slug } = inputs;
  await waitForRemovals(ctx, listKey(ref), [slug]);
  const known = await listFunctionsOnce(ctx, ref);
  try {
    const source = readSource(inputs);
    const body = toDeployBody(inputs, source, known.get(slug));
    if (source.staticPatterns?.some((pattern) => posix.basename(pattern) !== REGISTRY_FILE) === true)
      ctx.warn(edgeFunctionProblems.staticFilesMissing.message({ slug }));
    const answer = await writeInTurn(ctx, ref, () =>
      sendWrite(ctx, ref, () => ctx.api.deployFunction({ ref, slug, body })).catch(async (error: unknown) => {
        // Another write must not begin beside it.
        if (mayBeUnderWay(error)) await waitUntilDeployed(ctx, ref, slug, known.get(slug));
        throw isTooLarge(error) ? explainSize(error, slug, body) : error;
      }),
    );
    const before = known.get(slug)?.version;
    // Each deploy raises the version, by which one that was lost is recognised.
    const version = answer.version ?? (before == null ? undefined : before + 1);
    const made = { ...answer, slug, version };
    known.set(slug, made);
    return made;
  } catch (error) {
    forgetFunctions(ctx, ref);
    throw error;
  }
}

/** Returns when a listing shows a deploy whose answer was lost, or when it has surely come to nothing. */
async function waitUntilDeployed(
  ctx: Context,
  ref: string,
  slug: string,
  before: FunctionRecord | undefined,
): Promise<void> {
  await findWhileUnderWay(ctx, async () => {
    const now = (await listFunctionsAgain(ctx, ref)).get(slug);
    return now !== undefined && (isAnother(now, before) || isNewer(now, before)) ? true : undefined;
  }).catch(() => undefined);
}

/** Whether the function is another one than before: one whose identifier a listing leaves out is not known to be. */
function isAnother({ id }: FunctionRecord, before: FunctionRecord | undefined): boolean {
  return before === undefined || (id != null && before.id != null && id !== before.id);
}

/** Whether the function was deployed since: a version that a listing leaves out tells nothing. */
function isNewer(now: FunctionRecord, before: FunctionRecord | undefined): boolean {
  return before === undefined ? now.version != null : isOlder(before, now);
}

function isTooLarge(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 413;
}

const BYTES_OF_A_MB = 1_000_000;

function explainSize(error: ApiError, slug: string, { file = [] }: DeployBody): ApiError {
  const bytes = file.reduce((sum, { content }) => sum + content.byteLength, 0);
  const size = (bytes / BYTES_OF_A_MB).toFixed(1);
  return replaceMessage(error, edgeFunctionProblems.refusedAsTooLarge.message({ slug, size }));
}

/** What the service answered to a write of a function. */
type WriteAnswer = Pick<FunctionRecord, "version" | "ezbr_sha256">;

interface ConfirmedWrite {
  readonly ref: string;
  readonly slug: string;
  readonly answer: WriteAnswer;
  /** Whether a record that is not older than the answer shows the write. */
  readonly isShown: (record: FunctionRecord) => boolean;
  /** Sends it once more. */
  readonly repeat: () => Promise<WriteAnswer>;
  readonly lost: typeof edgeFunctionProblems.deployLost;
}

/**
 * Ends with a listing that began after the write and shows it. One that two listings do not show was lost behind its success,
 * and is sent once more. Returns the function as it was written, whatever others deployed since.
 */
export async function confirmWrite(ctx: Context, write: ConfirmedWrite): Promise<FunctionRecord> {
  const { ref, slug } = write;
  let written = write.answer;
  for (let isLast = false; ; isLast = true) {
    const seen = await findTwice(ctx, ref, (functions) => {
      const record = functions.get(slug);
      if (record === undefined || isOlder(record, written)) return undefined;
      return isOlder(written, record) || write.isShown(record) ? record : undefined;
    });
    // What others deployed since is drift for the next refresh.
    if (seen !== undefined) return isOlder(written, seen) ? { ...seen, ...written } : seen;
    if (isLast) throw new Error(write.lost.message({ ref, slug }));
    written = await write.repeat();
  }
}

/** Confirms a deploy, as the service loses deploys that overlap. */
export function confirmDeploy(
  ctx: Context,
  inputs: DeployInputs,
  answer: WriteAnswer,
): Promise<FunctionRecord> {
  const { projectRef: ref, slug } = inputs;
  return confirmWrite(ctx, {
    ...{ ref, slug, answer, lost: edgeFunctionProblems.deployLost },
    isShown: () => true,
    repeat: () => {
      ctx.progress(`the service lost the deploy of ${slug}, which is sent again`);
      return redeploy(ctx, inputs);
    },
  });
}

function isOlder({ version }: WriteAnswer, { version: other }: WriteAnswer): boolean {
  return version != null && other != null && version < other;
}

/** Pause between the two listings after which a write counts as lost. */
const LOOKS_APART_MS = 10_000;

/** What a listing shows that begins now and after the writes that wait, or another one ten seconds later. */
async function findTwice<T>(
  ctx: Context,
  ref: string,
  find: (functions: ReadonlyMap<string, FunctionRecord>) => T | undefined,
): Promise<T | undefined> {
  const look = async (): Promise<T | undefined> =>
    find(await ctx.listInTurn(writesOf(ref), listKey(ref), () => listFunctionsAgain(ctx, ref)));
  const found = await look();
  if (found !== undefined) return found;
  await ctx.clock.sleep(LOOKS_APART_MS, ctx.signal);
  return look();
}

/** Removes the function, unless another resource of the program declares it by now. */
export function removeFunction(ctx: Context, ref: string, slug: string): Promise<void> {
  return removeName(ctx, { key: listKey(ref), name: slug }, () => removeFunctionNow(ctx, ref, slug));
}

/** Ends with a listing that began after the delete and is without the function; a delete that was lost is sent once more. */
async function removeFunctionNow(ctx: Context, ref: string, slug: string): Promise<void> {
  const listed = await listFunctionsOnce(ctx, ref).catch(() => undefined);
  const removed = listed?.get(slug);
  for (let isLast = false; ; isLast = true) {
    try {
      await writeInTurn(ctx, ref, () =>
        sendWrite(ctx, ref, () => ctx.api.deleteFunction({ ref, function_slug: slug })),
      );
    } catch (error) {
      forgetFunctions(ctx, ref);
      if (isLast && isNotFound(error)) return;
      throw error;
    }
    const isGone = await findTwice(ctx, ref, (functions) => {
      const record = functions.get(slug);
      // Somebody may have made another one since.
      const isReplaced = record !== undefined && removed !== undefined && isAnother(record, removed);
      return record === undefined || isReplaced ? true : undefined;
    });
    if (isGone === true) return;
    if (isLast) throw new Error(edgeFunctionProblems.deleteLost.message({ ref, slug }));
  }
}

/** Deploys a function that is not there; after an unclear outcome, it is only one that was made meanwhile and is as sent. */
export async function deployNew(ctx: Context, inputs: DeployInputs): Promise<FunctionRecord> {
  const { projectRef: ref, slug, verifyJwt } = inputs;
  const { ctx: once, isMadeMeanwhile } = ctx.once();
  return writeOnce(ctx, {
    send: () => sendDeploy(once, inputs),
    findResult: async () => {
      forgetFunctions(ctx, ref);
      const now = (await listFunctionsOnce(ctx, ref)).get(slug);
      if (now === undefined) return undefined;
      const isLike = verifyJwt === undefined || now.verify_jwt == null || now.verify_jwt === verifyJwt;
      if (isLike && isMadeMeanwhile(formatIsoTime(now.created_at)) === true) return now;
      throw new InvalidInputError("adopt", edgeFunctionProblems.mayBeOthers.message({ ref, slug }));
    },
  });
}

/** Deploys again; after an unclear outcome, a version above the one before shows that it happened. */
export async function redeploy(ctx: Context, inputs: DeployInputs): Promise<FunctionRecord> {
  const { projectRef: ref, slug } = inputs;
  const before = (await listFunctionsOnce(ctx, ref)).get(slug);
  return writeOnce(ctx, {
    send: () => sendDeploy(ctx, inputs),
    findResult: async () => {
      forgetFunctions(ctx, ref);
      const now = (await listFunctionsOnce(ctx, ref)).get(slug);
      return now !== undefined && isNewer(now, before) ? now : undefined;
    },
  });
}

type DeployBody = z.input<typeof functionDeployBody>;

/** What is not declared is sent as the service has it: a deploy would otherwise reset it. */
function toDeployBody(
  inputs: DeployInputs,
  source: DeploySource,
  known: FunctionRecord | undefined,
): DeployBody {
  const { files, entrypoint, importMap, staticPatterns } = toUpload(source);
  const verifyJwt = inputs.verifyJwt ?? known?.verify_jwt ?? undefined;
  const name = inputs.name ?? known?.name ?? undefined;
  return {
    file: files,
    metadata: {
      entrypoint_path: entrypoint,
      ...(importMap === undefined ? {} : { import_map_path: importMap }),
      ...(staticPatterns === undefined ? {} : { static_patterns: staticPatterns }),
      ...(verifyJwt === undefined ? {} : { verify_jwt: verifyJwt }),
      ...(name === undefined ? {} : { name }),
    },
  };
}

const MOST_NAMED = 10;

/** Says in one line which files of the sources stay on the machine, relative to `folder`. */
export function reportLeftOut(
  ctx: Context,
  { label, folder, sources }: { label: string; folder: string; sources: Iterable<SourceInputs> },
): void {
  const paths = new Set<string>();
  for (const inputs of sources) {
    const { folder: of, leftOut } = tryReadSource(inputs) ?? { leftOut: [] };
    if (of !== undefined) for (const path of leftOut) paths.add(toRelativePath(folder, join(of, path), path));
  }
  if (paths.size === 0) return;
  const named = [...paths].sort();
  const more = named.length > MOST_NAMED ? ` and ${named.length - MOST_NAMED} more` : "";
  const isRegistry = named.some((path) => posix.basename(path) === REGISTRY_FILE);
  ctx.info(
    `not uploaded${label}: ${named.slice(0, MOST_NAMED).join(", ")}${more}. Dot files, known secret files and files that are not regular files of the folder are excluded. List a file in \`staticPatterns\` to upload it.${isRegistry ? ` The service needs ${REGISTRY_FILE} for packages of a private registry; a token in it is then stored with the source.` : ""}`,
  );
}

/** A fault is that of its deploy. */
function tryReadSource(inputs: SourceInputs): DeploySource | undefined {
  try {
    return readSource(inputs);
  } catch (error) {
    if (error instanceof SourceFault) return undefined;
    throw error;
  }
}

/** `path` keeps the `/` with which a folder ends. */
function toRelativePath(folder: string, target: string, path: string): string {
  const shown = relative(resolve(folder), target);
  return (sep === "/" ? shown : shown.replaceAll(sep, "/")) + (path.endsWith("/") ? "/" : "");
}

/** What can change without an upload. */
export type FunctionMetadata = Pick<z.input<typeof updateFunctionBody>, "name" | "verify_jwt">;

export async function patchMetadata(
  ctx: Context,
  ref: string,
  slug: string,
  body: FunctionMetadata,
): Promise<FunctionRecord> {
  const answer = await writeInTurn(ctx, ref, () =>
    sendWrite(ctx, ref, () => ctx.api.updateFunction({ ref, function_slug: slug, body })),
  );
  return { ...answer, slug };
}

/** Waits for a project that is starting or restarting; 402 is the plan's quota (service, Errors). */
export async function sendWrite<T>(ctx: Context, ref: string, send: () => Promise<T>): Promise<T> {
  try {
    return await callWhenReady(ctx, ref, ["db"], send);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 402) throw error;
    throw replaceMessage(error, edgeFunctionProblems.quota.message({ answer: quoteServiceMessage(error) }));
  }
}

/** A function as a branch came with it; undefined where the service does not tell which one it is. */
export function toInheritedPart({
  id,
  version,
  ezbr_sha256: checksum,
}: FunctionRecord): InheritedPart | undefined {
  return id == null ? undefined : { id, version: `${version ?? ""}/${checksum ?? ""}` };
}

/** Whether the project came with the function, whatever was done to it since. */
export function isInherited(
  record: FunctionRecord,
  inherited: ReturnType<ProgramView["listInherited"]>,
): boolean {
  return record.id != null && inherited.get(record.slug)?.id === record.id;
}

/** The service counts milliseconds here; everywhere else, and in programs, times are ISO 8601. */
export function formatIsoTime(ms: number | null | undefined): string | undefined {
  return ms === null || ms === undefined ? undefined : new Date(ms).toISOString();
}

interface DeployIdentity {
  readonly version?: number | undefined;
  readonly ezbrSha256?: string | undefined;
}

/**
 * Whether the service runs what was deployed: by the checksum, as a gateway that repeats a deploy raises the version of the
 * same source; by the version where an answer lacks the checksum. What both lack is taken for no drift.
 */
export function isSameDeploy(deployed: DeployIdentity, seen: DeployIdentity): boolean {
  const [was, is] = [deployed.ezbrSha256, seen.ezbrSha256];
  if (was !== undefined && is !== undefined) return was === is;
  return deployed.version === undefined || seen.version === undefined || deployed.version === seen.version;
}
