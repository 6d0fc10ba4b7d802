import { ApiError, InvalidInputError, isNotFound } from "../../../client/errors/errors";
import { replaceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { formatCodeList } from "../../../define/format-code-list";
import {
  confirmDeploy,
  deployNew,
  isSameDeploy,
  listFunctionsOnce,
  redeploy,
  removeFunction,
  reportLeftOut,
  type DeployInputs,
  type FunctionRecord,
} from "../shared/edge-functions/calls";
import { changeMetadata } from "../shared/edge-functions/metadata";
import type { SourceInputs } from "../shared/edge-functions/source";
import {
  mergeOutcomes,
  waitForHandOver,
  refuseForeignNames,
  runForEach,
  type BatchOutcome,
} from "../shared/named-set";
import { problems } from "./problems";
import { readSources, type FunctionDeployment, type FunctionDeployments, type SetSource } from "./set-source";

/** What the service answered to the deploy of a function, by which a later one by others is recognised. */
export interface DeployRecord {
  readonly functionId?: string | undefined;
  readonly version?: number | undefined;
  readonly ezbrSha256?: string | undefined;
}

/** What is known of the functions of a set. */
export interface KnownFunctions {
  readonly deployments: Readonly<Record<string, FunctionDeployment>>;
  readonly deployed: Readonly<Record<string, DeployRecord>>;
}

/** What a set brings about. */
interface FunctionSetDeclaration extends SetSource {
  readonly ref: string;
  readonly wanted: FunctionDeployments;
  /** What the functions were at last. */
  readonly known: KnownFunctions;
  /** Slugs that the set has had; a function of any other slug is somebody else's. */
  readonly own: ReadonlySet<string>;
  readonly isAdopted: boolean;
  readonly removed: readonly string[];
}

interface FunctionSetResult extends BatchOutcome {
  readonly known: KnownFunctions;
  /** Slugs of the wanted functions that are the set's by now; a new one that failed is not. */
  readonly names: string[];
}

/** Deploys what differs, one function after the other, and removes what goes; what fails is left as it was. Returns what is known then. */
export async function applySet(ctx: Context, set: FunctionSetDeclaration): Promise<FunctionSetResult> {
  const { ref, wanted, own, isAdopted } = set;
  const present = await listFunctionsOnce(ctx, ref);
  const foreign = Object.keys(wanted).filter((slug) => present.has(slug) && !own.has(slug));
  const going = isAdopted ? [] : await waitForHandOver(ctx, foreign, () => false);
  refuseForeignNames(Object.keys(wanted), { present, own: new Set([...own, ...going]), isAdopted }, (names) =>
    problems.hasAlready.message({ ref, names }),
  );
  const deployments: Record<string, FunctionDeployment> = {};
  const deployed: Record<string, DeployRecord> = {};
  const differing = new Map<string, FunctionChange>();
  const sources = readSources(set);
  // Deployed, whatever becomes of the listing that is to confirm it.
  const answered = new Set<string>();
  for (const [slug, is] of Object.entries(wanted)) {
    const [was, about] = [set.known.deployments[slug], set.known.deployed[slug]];
    if (was !== undefined) deployments[slug] = was;
    if (about !== undefined) deployed[slug] = about;
    const source = sources.get(slug) ?? {};
    const change = findChange(ctx, set, { slug, is, source, record: present.get(slug), answered });
    if (change === undefined) deployments[slug] = is;
    else differing.set(slug, change);
  }
  // A later run would take them for somebody else's.
  if (differing.size > 0) ctx.ledger.keep(ref, { names: Object.keys(wanted).sort() });
  const uploads = [...differing].filter(([, { isUpload }]) => isUpload);
  reportLeftOut(ctx, {
    label: "",
    folder: set.sourceDir ?? ".",
    sources: uploads.map(([slug]) => sources.get(slug) ?? {}),
  });
  let count = 0;
  const made = await runForEach(ctx, differing, async (slug, { is, bring }) => {
    const record = await bring();
    count += 1;
    ctx.progress(`${slug} is deployed, ${count} of ${differing.size}`);
    deployments[slug] = is;
    deployed[slug] = toDeployed(record);
  });
  const unwanted = set.removed.filter((slug) => present.has(slug));
  const gone = await removeAll(ctx, ref, unwanted, set.known);
  const failed = new Set(made.failed.map(({ name }) => name));
  const slugs = Object.keys(wanted).sort();
  const names = slugs.filter((slug) => present.has(slug) || answered.has(slug) || !failed.has(slug));
  const others = made.failed.filter(({ reason }) => reason instanceof InvalidInputError);
  if (others.length > 0) {
    const theirs = new Set(others.map(({ name }) => name));
    ctx.ledger.keep(ref, { names: slugs.filter((slug) => present.has(slug) || !theirs.has(slug)) });
  }
  ctx.program.takeNames(slugs.filter((slug) => !failed.has(slug)));
  const outcome = mergeOutcomes(made, gone);
  const unconfirmed = slugs.filter((slug) => failed.has(slug) && answered.has(slug)).length;
  return { ...outcome, done: outcome.done + unconfirmed, known: { deployments, deployed }, names };
}

/** A function that is not what it is to be, and how it becomes that. */
interface FunctionChange {
  readonly is: FunctionDeployment;
  readonly isUpload: boolean;
  readonly bring: () => Promise<FunctionRecord>;
}

interface WantedFunction {
  readonly slug: string;
  readonly is: FunctionDeployment;
  readonly source: SourceInputs;
  readonly record: FunctionRecord | undefined;
  /** Slugs of which the service answered to a deploy. */
  readonly answered: Set<string>;
}

/** How the function becomes what it is to be; undefined where it is that already. */
function findChange(
  ctx: Context,
  { ref: projectRef, known }: FunctionSetDeclaration,
  { slug, is, source, record, answered }: WantedFunction,
): FunctionChange | undefined {
  const { sourceHash, verifyJwt } = is;
  const was = known.deployments[slug];
  const toDeployInputs = (): DeployInputs => ({ ...source, projectRef, slug, verifyJwt });
  const confirmAnswer = async (answer: Promise<FunctionRecord>): Promise<FunctionRecord> => {
    const made = await answer;
    answered.add(slug);
    return confirmDeploy(ctx, toDeployInputs(), made);
  };
  if (record === undefined)
    return { is, isUpload: true, bring: () => confirmAnswer(deployNew(ctx, toDeployInputs())) };
  if (was?.sourceHash !== sourceHash)
    return { is, isUpload: true, bring: () => confirmAnswer(redeploy(ctx, toDeployInputs())) };
  const isVerified = record.verify_jwt ?? was.verifyJwt;
  if (verifyJwt === undefined || isVerified === verifyJwt) return undefined;
  return {
    is,
    isUpload: false,
    bring: () => changeMetadata(ctx, projectRef, slug, { verify_jwt: verifyJwt }),
  };
}

/** Removes functions, except those that others made under the same slug since, and what a branch came with that others changed. */
export function removeAll(
  ctx: Context,
  ref: string,
  slugs: readonly string[],
  { deployments, deployed }: KnownFunctions,
): Promise<BatchOutcome> {
  const ours = new Map(slugs.map((slug) => [slug, deployed[slug] ?? {}]));
  return runForEach(ctx, ours, async (slug, was) => {
    const record = (await listFunctionsOnce(ctx, ref)).get(slug);
    if (record === undefined) return;
    const { functionId: id } = was;
    const isReplaced = id !== undefined && record.id != null && id !== record.id;
    const isOurs = deployments[slug] !== undefined || isSameDeploy(was, toDeployed(record));
    if (!isReplaced && isOurs) return removeFunction(ctx, ref, slug);
    ctx.warn(`${slug} was not deleted, because someone has ${isReplaced ? "replaced" : "changed"} it since.`);
  });
}

/** Throws where not everything was done; the message names what was not. */
export function requireDone({ failed }: BatchOutcome): void {
  const [first] = failed;
  if (first === undefined) return;
  const { reason } = first;
  const isGone: boolean = isNotFound(reason);
  if (isGone || !(reason instanceof ApiError)) throw reason;
  const names = formatCodeList(failed.map(({ name }) => name));
  throw replaceMessage(reason, problems.notDeployed.message({ names, answer: reason.message }));
}

export function toDeployed({ id, version, ezbr_sha256: checksum }: FunctionRecord): DeployRecord {
  return { functionId: id ?? undefined, version: version ?? undefined, ezbrSha256: checksum ?? undefined };
}
