import { z } from "zod";
import { parseReportedPath } from "../../../client/function-source/entrypoint";
import type { Context } from "../../../define/context";
import { inProject } from "../../../define/import-id";
import { listInProject } from "../../../define/list";
import { autonamed, computed, derivedFrom, replaces, stable, stays } from "../../../define/markers";
import { formatName, formatPlanLine } from "../../../define/plan-words";
import { requireProjectRef } from "../../../define/require-project-ref";
import {
  defineResource,
  type ObservedResource,
  type ResourceState,
  type ShownOutputs,
} from "../../../define/resource";
import { everyResource, projectRef } from "../../../define/shared-inputs";
import {
  confirmDeploy,
  sendDeploy,
  EDGE_FUNCTIONS,
  isInherited,
  DEPLOYED_SLUG,
  listFunctionsOnce,
  formatIsoTime,
  redeploy,
  removeFunction,
  reportLeftOut,
  type FunctionRecord,
  isSameDeploy,
} from "../shared/edge-functions/calls";
import { changeMetadata } from "../shared/edge-functions/metadata";
import { functionSlug, verifyJwt } from "../shared/edge-functions/source-fields";
import { waitForHandOver, mayTakeOver, recordedAs } from "../shared/named-set";
import { readImportedSource } from "./imported-source";
import { problems } from "./problems";
import { checkSource, sourceInputs } from "./source-inputs";

const inputs = z.strictObject({
  projectRef,
  slug: autonamed(
    replaces(
      functionSlug.describe(
        "Name in the function's URL: a letter, then letters, digits, `_` and `-`. A change replaces the function.",
      ),
      "delete-first",
    ),
    { separator: "-", maxLength: 100, isSlug: true },
  ),
  name: stays(
    z.string().min(1).describe("Display name. Default: the slug."),
    "For another name, declare it.",
  ).optional(),
  verifyJwt,
  ...sourceInputs,
  sourceHash: derivedFrom(
    computed(z.string().describe("SHA-256 of everything to deploy. A change triggers a deploy.")),
    "files",
  ).optional(),
  ...everyResource,
});

const outputs = z.object({
  functionId: stable(z.string().describe("Identifier of the function.")),
  version: z.int().describe("Version number, incremented by each deploy."),
  status: z.string().describe("`ACTIVE`, `THROTTLED` or another state of a function."),
  ezbrSha256: derivedFrom(
    z.string().describe("Checksum of the bundle that the service built."),
    "files",
  ).optional(),
  importMap: z.boolean().describe("Whether the function has an import map.").optional(),
  entrypointPath: z
    .string()
    .describe("Path of the entrypoint module, as declared, or else from the service's URL.")
    .optional(),
  importMapPath: z
    .string()
    .describe("Path of the import map, as declared, or else from the service's URL.")
    .optional(),
  createdAt: stable(z.string().describe("Creation time, ISO 8601.")),
  updatedAt: z.string().describe("Time of the last change, ISO 8601."),
});

type Inputs = z.output<typeof inputs>;
type Outputs = z.output<typeof outputs>;

export function fromWire(record: FunctionRecord): ObservedResource<Inputs, Outputs> {
  return {
    inputs: {
      slug: record.slug,
      name: record.name ?? undefined,
      verifyJwt: record.verify_jwt ?? undefined,
    },
    outputs: {
      functionId: record.id ?? undefined,
      version: record.version ?? undefined,
      status: record.status ?? undefined,
      ezbrSha256: record.ezbr_sha256 ?? undefined,
      importMap: record.import_map ?? undefined,
      entrypointPath: toShownPath(record.entrypoint_path),
      importMapPath: toShownPath(record.import_map_path),
      createdAt: formatIsoTime(record.created_at),
      updatedAt: formatIsoTime(record.updated_at),
    },
  };
}

/** Given as a URL; empty means none (service, Edge functions). */
function toShownPath(told: string | null | undefined): string | undefined {
  return told == null || told === "" ? undefined : parseReportedPath(told);
}

/** An edge function, deployed from a folder or from inline files. */
export const edgeFunction = defineResource({
  type: "EdgeFunction",
  description:
    "An edge function of a project. It is deployed when its source, entrypoint, import map or static files change. A change of only `name` or `verifyJwt` uploads nothing. A deploy from elsewhere is drift. A branch that this program created comes with copies of its parent's functions: the create takes over the copy of the same slug and deploys the declared source.",
  inputs,
  outputs,
  timeouts: { create: 600, update: 600, delete: 300 },
  isRepeatable: true,
  comparesBeforeDelete: true,
  uniqueBy: ["slug"],
  importId: {
    ...inProject("slug", "`getEdgeFunctions`, or the function's URL"),
    alsoDeclares: ["files", "entrypointPath", "importMapPath"],
  },
  list: listInProject(
    async (ctx, ref) =>
      Array.from((await listFunctionsOnce(ctx, ref)).values(), ({ slug, name }) => ({
        id: slug,
        name: name ?? slug,
      })),
    DEPLOYED_SLUG,
  ),
  manages: {
    collection: EDGE_FUNCTIONS,
    extent: "part",
    names: ({ slug }) => (slug === undefined ? [] : [slug]),
    recordedAs: recordedAs("EdgeFunction", "FunctionSet"),
  },
  problems,
  plan: {
    covers: ["sourceHash"],
    describe: (state, { slug = "", sourceHash }, inherited) => {
      if (state === undefined)
        return inherited?.has(slug) === true
          ? [`will take over: ${formatName(slug)} (copied from the parent project)`]
          : [];
      return state.sourceHash === sourceHash ? [] : formatPlanLine("will deploy", [formatName(slug)]);
    },
  },
  check: checkSource,

  async find(ctx, { projectRef: ref, slug, ...declared }) {
    const record = (await listFunctionsOnce(ctx, ref)).get(slug);
    if (record === undefined) return [];
    const { version, created_at } = record;
    // Of what is on record nothing shows that it is still the same function.
    const isCopy = isInherited(record, ctx.program.listInherited());
    const going = isCopy || mayTakeOver(declared) ? [] : await waitForHandOver(ctx, [slug], () => false);
    const collides = !isCopy && going.length === 0;
    return [
      { id: slug, label: `version ${version ?? "unknown"}`, createdAt: formatIsoTime(created_at), collides },
    ];
  },

  async read(ctx, { id, state }) {
    const record = (await listFunctionsOnce(ctx, requireProjectRef(state))).get(id);
    if (record === undefined) return undefined;
    const observed = fromWire(record);
    const sourceHash = findDeployedHash(state, observed.outputs);
    return { ...observed, inputs: { ...observed.inputs, projectRef: state.projectRef, sourceHash } };
  },

  async readForImport(ctx, { id, state }) {
    const ref = requireProjectRef(state);
    const record = (await listFunctionsOnce(ctx, ref)).get(id);
    return record === undefined ? {} : readImportedSource(ctx, ref, record);
  },

  async create(ctx, declared) {
    reportFolderLeftOut(ctx, declared);
    const deployed = await sendDeploy(ctx, declared);
    ctx.program.takeNames([declared.slug]);
    return { id: declared.slug, ...fromWire(deployed) };
  },

  async update(ctx, { id, inputs: declared, changed }) {
    if (changed.has("sourceHash")) {
      reportFolderLeftOut(ctx, declared);
      return fromWire(await redeploy(ctx, declared));
    }
    const { name, verifyJwt } = declared;
    const change = {
      ...(changed.has("name") && name !== undefined ? { name } : {}),
      ...(changed.has("verifyJwt") && verifyJwt !== undefined ? { verify_jwt: verifyJwt } : {}),
    };
    return fromWire(await changeMetadata(ctx, declared.projectRef, id, change));
  },

  async settle(ctx, { state, inputs: declared }) {
    const { version, ezbrSha256: ezbr_sha256 } = state;
    return fromWire(await confirmDeploy(ctx, declared, { version, ezbr_sha256 }));
  },

  delete: (ctx, { id, state }) => removeFunction(ctx, requireProjectRef(state), id),
});

function reportFolderLeftOut(ctx: Context, declared: Inputs): void {
  const { slug, sourceDir } = declared;
  if (sourceDir !== undefined)
    reportLeftOut(ctx, { label: ` with ${slug}`, folder: sourceDir, sources: [declared] });
}

/** The hash of what the service runs: known while it is what this resource deployed last. */
function findDeployedHash(
  state: ResourceState<Inputs, Outputs>,
  seen: ShownOutputs<Outputs>,
): string | undefined {
  if (state.version === undefined) return undefined;
  return isSameDeploy(state, seen)
    ? state.sourceHash
    : `changed outside: version ${seen.version ?? "unknown"}`;
}
