import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { isObject } from "../../../../spec/is-object";
import type { Context, InheritedPart } from "../../../define/context";
import { notImportable } from "../../../define/import-id";
import { asSet, computed, local } from "../../../define/markers";
import { formatCodeList } from "../../../define/format-code-list";
import { formatName, formatPlanLine } from "../../../define/plan-words";
import { requireProjectRef } from "../../../define/require-project-ref";
import { defineResource, NotListedError, type SetPart } from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import { refuseEmptyListing } from "../../../lookup/unproven-absence";
import {
  EDGE_FUNCTIONS,
  toInheritedPart,
  isInherited,
  listFunctionsOnce,
  formatIsoTime,
  type FunctionRecord,
  isSameDeploy,
} from "../shared/edge-functions/calls";
import { functionSlug } from "../shared/edge-functions/source-fields";
import { allowEmptyInput } from "../shared/empty-source";
import {
  listDuePruning,
  listFailures,
  findExistingSet,
  mayTakeOver,
  namedSetOutputs,
  listFormerNames,
  listPruned,
  pruneInput,
  describePruning,
  recordedAs,
  pickUndeclared,
  omitNamesElsewhere,
  warnOfPruning,
} from "../shared/named-set";
import { applySet, removeAll, requireDone, toDeployed, type DeployRecord } from "./apply-set";
import { problems } from "./problems";
import {
  checkSet,
  listDeclaredSlugs,
  deployment,
  functionOptions,
  type FunctionDeployment,
  type FunctionDeployments,
} from "./set-source";

const inputs = z.strictObject({
  projectRef,
  sourceDir: local(
    z
      .string()
      .min(1)
      .describe(
        "Folder with one folder per function, relative to the program's folder. The folder's name is the function's slug. Folders whose names begin with `_` contain shared code. A folder without an `index.ts` is not a function, unless `functions` or `configFile` has settings for it. The same files are uploaded as for `sourceDir` in an `EdgeFunction`.",
      ),
  ),
  configFile: local(
    z
      .string()
      .min(1)
      .describe(
        "Configuration file of the platform's tool, relative to the program's folder: TOML, or JSON if its name ends with `.json`. The provider reads `enabled`, `verify_jwt`, `import_map`, `entrypoint` and `static_files` in the `[functions.<slug>]` sections, also inside the `[remotes.<name>]` block of this project. Values in `functions` take precedence. A function that is not enabled is neither deployed nor deleted.",
      ),
  ).optional(),
  functions: local(
    z.record(functionSlug, functionOptions).describe("Settings of individual functions, by slug."),
  ).optional(),
  only: asSet(
    local(
      z
        .array(z.string().min(1))
        .describe(
          "Slugs of the functions in the set. Other functions in the folder are neither deployed nor deleted. Default: all.",
        ),
    ),
  ).optional(),
  exclude: asSet(
    local(
      z
        .array(z.string().min(1))
        .describe("Folders to exclude from the set. Their functions are neither deployed nor deleted."),
    ),
  ).optional(),
  deployments: computed(
    z
      .record(z.string(), deployment)
      .describe("Desired state of each function, by slug. A change deploys the function."),
  ).optional(),
  unmanaged: computed(
    local(
      z
        .array(z.string())
        .describe(
          "Functions that `only`, `exclude` and `configFile` exclude. They are neither deployed nor deleted.",
        ),
    ),
  ).optional(),
  prune: pruneInput("functions"),
  allowEmpty: allowEmptyInput("a folder", "functions"),
  ...everyResource,
});

const outputs = z.object({
  ...namedSetOutputs,
  deployed: z
    .record(
      z.string(),
      z
        .object({
          functionId: z.string().describe("Identifier of the function.").optional(),
          version: z.int().describe("Version number, incremented by each deploy.").optional(),
          ezbrSha256: z.string().describe("Checksum of the bundle that the service built.").optional(),
        })
        .meta({ id: "FunctionSetDeployed", description: "The last deploy of a function in a set." }),
    )
    .describe("The last deploy of each function, by slug."),
});

const NOTHING_KNOWN = { deployments: {}, deployed: {} };

/** The functions of a folder. */
export const functionSet = defineResource({
  type: "FunctionSet",
  description:
    "A folder of edge functions, one per subfolder. Functions whose source or imported files changed are deployed one after the other; the others cause no calls. If one fails, the others stay deployed, and the next update deploys only the failed one. A deploy from elsewhere is drift of that function.",
  inputs,
  outputs,
  timeouts: { create: 1_800, update: 1_800, delete: 600 },
  isRepeatable: true,
  importId: notImportable("the service does not record the folder of the functions."),
  adoption:
    "If one of the functions already exists, a create or update that declares it fails. `adopt: true` takes over existing functions and deploys the declared source. A branch that this program created comes with copies of its parent's functions: the create of a set takes over those that the folder has and deletes the others, except those of other resources and those changed since.",
  manages: {
    collection: EDGE_FUNCTIONS,
    extent: "part",
    wholeBy: "prune",
    names: listDeclaredSlugs,
    recordedAs: recordedAs("EdgeFunction", "FunctionSet"),
  },
  problems,
  shares: ({ names = [] }) => ({ names }),
  diff(state, declared) {
    const { functions: before } = state;
    const { deployments } = declared;
    // A state, and inputs that are not checked yet, may hold anything.
    const readVerifyJwt = (all: unknown, slug: string): unknown => {
      const own = isObject(all) && Object.hasOwn(all, slug) ? all[slug] : undefined;
      return isObject(own) ? own["verifyJwt"] : undefined;
    };
    const listStaying = (): string[] =>
      Object.keys(isObject(deployments) ? deployments : {})
        .filter(
          (slug) =>
            readVerifyJwt(before, slug) !== undefined && readVerifyJwt(deployments, slug) === undefined,
        )
        .map((slug) => `functions.${slug}.verifyJwt`);
    return { listStaying, renewed: listDuePruning(state, declared) };
  },
  plan: {
    covers: ["sourceDir", "configFile", "functions", "only", "exclude", "deployments", "unmanaged"],
    describe: describePlan,
  },
  check: checkSet,

  async find(ctx, { projectRef: ref, deployments = {}, ...declared }) {
    const present = await listFunctionsOnce(ctx, ref);
    const partOf = (slug: string, { created_at, verify_jwt }: FunctionRecord): SetPart => {
      const wanted = deployments[slug]?.verifyJwt;
      const isLike = wanted === undefined || verify_jwt == null || wanted === verify_jwt;
      return { createdAt: formatIsoTime(created_at), unlike: isLike ? undefined : slug };
    };
    return findExistingSet(ctx, {
      ref,
      names: Object.keys(deployments),
      present,
      partOf,
      // Of what is on record nothing shows that it is still the same function.
      isAsDeclared: () => false,
      isAdopted: mayTakeOver(declared),
      isInherited: (record) => isInherited(record, ctx.program.listInherited()),
    });
  },

  read: (ctx, { state }) => observeFunctionSet(ctx, requireProjectRef(state), state),

  async create(ctx, declared) {
    const { projectRef: ref, deployments: wanted = {} } = declared;
    const own = new Set(Object.keys(wanted));
    const set = { ...declared, ref, wanted, known: NOTHING_KNOWN, own, isAdopted: false, removed: [] };
    const outcome = await applySet(ctx, set);
    // What was deployed in part is settled, or stays in state with the reason.
    if (outcome.done === 0) requireDone(outcome);
    const { deployments, deployed } = outcome.known;
    // What the branch came with is the set's, which then removes what the folder does not have.
    const surplus = await findSurplus(ctx, declared);
    const names = [...new Set([...outcome.names, ...Object.keys(surplus)])].sort();
    return { id: ref, inputs: { deployments }, outputs: { names, deployed: { ...surplus, ...deployed } } };
  },

  async settle(ctx, { id: ref, state, inputs: declared }) {
    const { deployments: wanted = {} } = declared;
    const { deployments = {}, deployed = {} } = state;
    const names = Object.keys(wanted).sort();
    const kept = [...names, ...(declared.unmanaged ?? [])];
    const removed = omitNamesElsewhere(ctx, listFormerNames(ctx, state)).filter(
      (slug) => !kept.includes(slug),
    );
    const known = { deployments, deployed };
    const own = new Set([...listFormerNames(ctx, state), ...listFailures(ctx)]);
    const set = { ...declared, ref, wanted, known, own, isAdopted: mayTakeOver(declared), removed };
    const outcome = await applySet(ctx, set);
    requireDone(outcome);
    const { prune, unmanaged } = declared;
    const observed = await observeFunctionSet(ctx, ref, { ...outcome.known, names, unmanaged, prune });
    warnOfPruning(ctx, ref, observed.outputs);
    return observed;
  },

  async update(ctx, { id: ref, state, inputs: declared }) {
    const { deployments: wanted = {} } = declared;
    const { deployments: before = {}, deployed: made = {}, names: known = [] } = state;
    if (known.length > 0 && (await listFunctionsOnce(ctx, ref)).size === 0)
      await refuseEmptyListing(ctx, ref, EDGE_FUNCTIONS);
    const surplus = await findSurplus(ctx, declared);
    const had = [...new Set([...listFormerNames(ctx, state), ...Object.keys(surplus)])];
    const kept = [...Object.keys(wanted), ...(declared.unmanaged ?? [])];
    const going = [...omitNamesElsewhere(ctx, had), ...listPruned(state, declared)];
    const outcome = await applySet(ctx, {
      ...declared,
      ref,
      wanted,
      known: { deployments: before, deployed: { ...surplus, ...made } },
      own: new Set(had),
      isAdopted: mayTakeOver(declared),
      removed: [...new Set(going)].filter((slug) => !kept.includes(slug)),
    });
    if (outcome.done === 0) requireDone(outcome);
    const failed = outcome.failed.map(({ name }) => name);
    const names = [...new Set([...outcome.names, ...had.filter((slug) => failed.includes(slug))])].sort();
    const { deployments, deployed } = outcome.known;
    return { inputs: { deployments }, outputs: { names, deployed } };
  },

  async delete(ctx, { id: ref, state }) {
    const slugs = omitNamesElsewhere(ctx, listFormerNames(ctx, state));
    if (slugs.length === 0) return;
    const present = await listFunctionsOnce(ctx, ref);
    const unlisted = slugs.filter((slug) => !present.has(slug));
    const { deployments = {}, deployed = {} } = state;
    requireDone(await removeAll(ctx, ref, slugs, { deployments, deployed }));
    if (unlisted.length > 0) throw new NotListedError(`no functions ${unlisted.join(", ")} are listed`);
  },
});

/** What a set declares, as far as it decides on what its project came with. */
interface DeclaredFunctions {
  readonly projectRef: string;
  readonly deployments?: FunctionDeployments | undefined;
  readonly unmanaged?: readonly string[] | undefined;
}

/** At the creation of a set: the functions that its project came with, nobody has changed since, and the set does not have. */
async function findSurplus(
  ctx: Context,
  { projectRef: ref, deployments = {}, unmanaged = [] }: DeclaredFunctions,
): Promise<Record<string, DeployRecord>> {
  const inherited = ctx.program.listInherited();
  const isKept = (slug: string): boolean => Object.hasOwn(deployments, slug) || unmanaged.includes(slug);
  const slugs = omitNamesElsewhere(
    ctx,
    [...inherited.keys()].filter((slug) => !isKept(slug)),
  );
  if (slugs.length === 0) return {};
  const present = await listFunctionsOnce(ctx, ref);
  const records = slugs.flatMap((slug) => present.get(slug) ?? []);
  const unchanged = records.filter((record) =>
    isDeepStrictEqual(toInheritedPart(record), inherited.get(record.slug)),
  );
  const changed = records.filter((record) => isInherited(record, inherited) && !unchanged.includes(record));
  if (changed.length > 0) ctx.warn(problems.inheritedChanged.message({ names: namesOf(changed) }));
  if (unchanged.length > 0)
    ctx.info(
      `deleting functions that the branch came with and the folder does not have: ${namesOf(unchanged)}`,
    );
  return Object.fromEntries(unchanged.map((record) => [record.slug, toDeployed(record)]));
}

function namesOf(records: readonly FunctionRecord[]): string {
  return formatCodeList(records.map(({ slug }) => slug));
}

/** What of a state and of checked inputs a plan compares; either may hold anything. */
const planned = z.object({
  deployments: z.record(z.string(), deployment).optional().catch(undefined),
  unmanaged: z.array(z.string()).default([]).catch([]),
  names: z.array(z.string()).default([]).catch([]),
  undeclared: z.array(z.string()).default([]).catch([]),
  prune: z.boolean().optional().catch(undefined),
});

function describePlan(
  state: object | undefined,
  declared: object,
  inherited: ReadonlyMap<string, InheritedPart> = new Map(),
): string[] {
  const [before, now] = [planned.parse(state ?? {}), planned.parse(declared)];
  const { deployments: wanted } = now;
  if (wanted === undefined) return [];
  const slugs = Object.keys(wanted).sort();
  const was = new Map(Object.entries(before.deployments ?? {}));
  const isDeployed = (slug: string): boolean => was.get(slug)?.sourceHash !== wanted[slug]?.sourceHash;
  const isChanged = (slug: string): boolean => {
    const verifyJwt = wanted[slug]?.verifyJwt;
    return !isDeployed(slug) && verifyJwt !== undefined && was.get(slug)?.verifyJwt !== verifyJwt;
  };
  const had = new Set([...before.names, ...was.keys()]);
  const going = [...had].filter((slug) => !slugs.includes(slug) && !now.unmanaged.includes(slug)).sort();
  const without = (these: readonly string[], others: readonly string[], suffix: string): string[] =>
    these.filter((name) => !others.includes(name)).map((name) => `${formatName(name)} (${suffix})`);
  const copied = [...inherited.keys()].filter((slug) => !now.unmanaged.includes(slug)).sort();
  const surplus = copied.filter((slug) => !slugs.includes(slug));
  return [
    ...formatPlanLine("will take over", slugs.filter((slug) => copied.includes(slug)).map(formatName)).map(
      (line) => `${line} (copied from the parent project)`,
    ),
    ...formatPlanLine("will delete", surplus.map(formatName)).map(
      (line) => `${line} (copied from the parent project, not in the folder)`,
    ),
    ...formatPlanLine("will deploy", slugs.filter(isDeployed).map(formatName)),
    ...formatPlanLine("will change `verifyJwt` of", slugs.filter(isChanged).map(formatName)),
    ...formatPlanLine("will delete", going.map(formatName)).map(
      (line) => `${line} (unless another resource of the program declares it)`,
    ),
    ...describePruning(before, now),
    ...formatPlanLine("not managed", [
      ...without(now.unmanaged, before.unmanaged, "added"),
      ...(state === undefined ? [] : without(before.unmanaged, [...now.unmanaged, ...slugs], "removed")),
    ]),
  ];
}

/** What is remembered of a set. */
interface FunctionSetState {
  readonly deployments?: FunctionDeployments | undefined;
  readonly deployed?: Readonly<Record<string, DeployRecord>> | undefined;
  readonly names?: readonly string[] | undefined;
  /** Names that the set neither deploys nor removes. */
  readonly unmanaged?: readonly string[] | undefined;
  readonly prune?: boolean | undefined;
}

/** The set as the service has it: each function with the remembered hash while what is there is what the set deployed. */
async function observeFunctionSet(ctx: Context, ref: string, remembered: FunctionSetState) {
  const { names = [], deployments = {}, deployed = {}, unmanaged = [], prune = false } = remembered;
  const present = await listFunctionsOnce(ctx, ref);
  const shown: Record<string, FunctionDeployment> = {};
  for (const slug of new Set([...names, ...Object.keys(deployments)])) {
    const record = present.get(slug);
    if (record === undefined) continue;
    const [was, about] = [deployments[slug], deployed[slug]];
    const isOurs = was !== undefined && about !== undefined && isSameDeploy(about, toDeployed(record));
    const sourceHash = isOurs ? was.sourceHash : `changed outside: version ${record.version ?? "unknown"}`;
    const verifyJwt = was?.verifyJwt === undefined ? undefined : (record.verify_jwt ?? was.verifyJwt);
    shown[slug] = verifyJwt === undefined ? { sourceHash } : { sourceHash, verifyJwt };
  }
  const isUndeclared = (slug: string): boolean =>
    !names.includes(slug) && !Object.hasOwn(deployments, slug) && !unmanaged.includes(slug);
  const undeclared = pickUndeclared(present.keys(), isUndeclared, prune);
  return {
    inputs: { projectRef: ref, deployments: shown },
    outputs: { names: [...names], deployed: { ...deployed }, ...undeclared },
  };
}
