import { pathToFileURL } from "node:url";
import type { OperationAnswer } from "../../../../spec/operation";
import { bulkUpdateFunctionBody } from "../../../../spec/operations/functions";
import type { Operations } from "../../../../spec/table";
import type { Handler } from "../shared/handler";
import { isAsMeasured } from "../../world/state";
import { projectAt, settledProjectAt } from "../shared/project-at";
import {
  asBundle,
  buildBundle,
  bundleOf,
  bytesOf,
  namedPath,
  normalizedPath,
  partsOf,
} from "./function-bundle";
import { requireRoomFor } from "../shared/function-quota";
import type { ProjectRecord } from "../../world/records/project";
import type { FunctionRecord } from "../../world/records/functions";
import { requireFound, Refusal } from "../../answers/refusal";

const listFunctions: Handler<Operations["listFunctions"]> = ({ params, world }) =>
  [...projectAt(world, params.ref).functions.values()].map(viewFunction);

const getFunction: Handler<Operations["getFunction"]> = ({ params, world }) =>
  viewFunction(functionAt(projectAt(world, params.ref), params.function_slug));

/** Creates the function when it does not exist; each deploy raises `version` (service, Edge functions). */
const deployFunction: Handler<Operations["deployFunction"]> = ({ params, query, body, world, isLost }) => {
  const project = settledProjectAt(world, params.ref);
  const { metadata } = body;
  const slug = query.slug ?? metadata.name;
  if (slug === undefined) throw new Refusal(400, "slug: Either slug or metadata.name must be given");
  const files = body.file ?? [];
  if (isAsMeasured(world.state)) requireSize(files);
  const { bundle, sha256 } = buildBundle(files, metadata);
  const before = project.functions.get(slug);
  const now = world.clock.now();
  const deployed: FunctionRecord = {
    id: before?.id ?? world.newId(),
    slug,
    name: metadata.name ?? before?.name ?? slug,
    status: "ACTIVE",
    version: (before?.version ?? 0) + 1,
    createdAt: before?.createdAt ?? now,
    updatedAt: now,
    // Omitted it means true for a new function; what a redeploy without it does is unknown: it stays.
    verifyJwt: metadata.verify_jwt ?? before?.verifyJwt ?? true,
    importMap: bundle.importMapPath !== null,
    entrypointPath: metadata.entrypoint_path,
    importMapPath: bundle.importMapPath,
    ezbrSha256: sha256,
    ...(before?.further === undefined ? {} : { further: before.further }),
  };
  if (isLost) return viewFunction(deployed);
  // A bundle is only prepared: the bulk update is what makes it a function (service, Edge functions).
  if (query.bundleOnly === true) {
    project.preparedBundles.set(slug, sha256);
  } else {
    requireRoomFor(world, project, [slug]);
    project.functions.set(slug, deployed);
    project.preparedBundles.delete(slug);
  }
  project.bundles.set(sha256, bundle);
  return viewFunction(deployed);
};

/** Measured: 2 MB are taken, 8 MB are not (service, Edge functions). */
const MOST_BYTES = 4_000_000;

function requireSize(files: readonly { readonly content: Uint8Array }[]): void {
  const bytes = files.reduce((sum, { content }) => sum + content.byteLength, 0);
  if (bytes > MOST_BYTES) throw new Refusal(413, "request entity too large");
}

/** Creates or replaces by slug; the caller bumps the version (service, Edge functions). */
const updateFunctions: Handler<Operations["updateFunctions"]> = ({ params, body, world }) => {
  const project = settledProjectAt(world, params.ref);
  requireRoomFor(
    world,
    project,
    body.map(({ slug }) => slug),
  );
  const now = world.clock.now();
  const functions = body.map((sent) => {
    const before = project.functions.get(sent.slug);
    const replaced: FunctionRecord = {
      id: sent.id,
      slug: sent.slug,
      name: sent.name,
      status: sent.status,
      version: sent.version,
      createdAt: before?.createdAt ?? sent.created_at ?? now,
      updatedAt: before?.updatedAt ?? now,
      verifyJwt: sent.verify_jwt ?? before?.verifyJwt ?? true,
      importMap: sent.import_map ?? namedPath(sent.import_map_path) !== null,
      entrypointPath: sent.entrypoint_path ?? null,
      importMapPath: namedPath(sent.import_map_path),
      // Without one it stays with the bundle that it has, or that a deploy prepared (service, Edge functions).
      ezbrSha256: sent.ezbr_sha256 ?? project.preparedBundles.get(sent.slug) ?? before?.ezbrSha256 ?? null,
      ...furtherOf(sent),
    };
    // The same records sent again change nothing, their time included.
    if (JSON.stringify(before) !== JSON.stringify(replaced)) replaced.updatedAt = now;
    project.functions.set(sent.slug, replaced);
    project.preparedBundles.delete(sent.slug);
    return viewFunction(replaced);
  });
  return { functions };
};

/** Keys that no document lists are part of a record as well, and go when they are not sent again. */
function furtherOf(sent: object): Pick<FunctionRecord, "further"> {
  const further = Object.entries(sent).filter(([name]) => !(name in bulkUpdateFunctionBody.element.shape));
  return further.length === 0 ? {} : { further: Object.fromEntries(further) };
}

/** The older way to make a function; one that exists is not replaced by it (service, Edge functions). */
const createFunction: Handler<Operations["createFunction"]> = ({ params, query, body, world, isLost }) => {
  const project = settledProjectAt(world, params.ref);
  const sent: SentFunction & { slug?: string } = body instanceof Uint8Array ? { body } : body;
  const slug = sent.slug ?? query.slug;
  if (slug === undefined) throw new Refusal(400, "slug: Required");
  if (project.functions.has(slug)) throw new Refusal(409, `A function with the slug ${slug} exists already`);
  requireRoomFor(world, project, [slug]);
  const now = world.clock.now();
  const created: FunctionRecord = {
    id: world.newId(),
    slug,
    name: sent.name ?? query.name ?? slug,
    status: "ACTIVE",
    version: 1,
    createdAt: now,
    updatedAt: now,
    verifyJwt: sent.verify_jwt ?? query.verify_jwt ?? true,
    importMap: query.import_map ?? namedPath(query.import_map_path) !== null,
    entrypointPath: query.entrypoint_path ?? null,
    importMapPath: namedPath(query.import_map_path),
    ezbrSha256: keepCode(project, sent.body ?? "", query.ezbr_sha256),
  };
  if (!isLost) project.functions.set(slug, created);
  return viewFunction(created);
};

/** Whether new metadata raises `version`, and `slug` renames, is unknown: here only new code does, and nothing does. */
const updateFunction: Handler<Operations["updateFunction"]> = ({ params, query, body, world }) => {
  const project = settledProjectAt(world, params.ref);
  const edited = functionAt(project, params.function_slug);
  const sent: SentFunction = body instanceof Uint8Array ? { body } : body;
  edited.name = sent.name ?? query.name ?? edited.name;
  edited.verifyJwt = sent.verify_jwt ?? query.verify_jwt ?? edited.verifyJwt;
  edited.importMap = query.import_map ?? edited.importMap;
  edited.entrypointPath = query.entrypoint_path ?? edited.entrypointPath;
  if (query.import_map_path !== undefined) edited.importMapPath = namedPath(query.import_map_path);
  if (sent.body !== undefined) {
    edited.version += 1;
    edited.ezbrSha256 = keepCode(project, sent.body, query.ezbr_sha256);
    project.preparedBundles.delete(edited.slug);
  }
  edited.updatedAt = world.clock.now();
  return viewFunction(edited);
};

/** What a function is created or changed with, as JSON or as bytes. */
interface SentFunction {
  name?: string | undefined;
  body?: string | Uint8Array | undefined;
  verify_jwt?: boolean | undefined;
}

/** Keeps code under the checksum that the caller gives, else under its own; the answer is that checksum. */
function keepCode(project: ProjectRecord, code: string | Uint8Array, given: string | undefined): string {
  const { bundle, sha256 } = asBundle(code);
  project.bundles.set(given ?? sha256, bundle);
  return given ?? sha256;
}

const MULTIPART = /(?:^|,)\s*multipart\/form-data\s*(?:[;,]|$)/i;

/** In parts where that is asked for, else in one piece (service, Edge functions). */
const getFunctionBody: Handler<Operations["getFunctionBody"]> = ({ params, headers, world }) => {
  const project = projectAt(world, params.ref);
  const { slug, ezbrSha256 } = functionAt(project, params.function_slug);
  const bundle = requireFound(bundleOf(project, ezbrSha256), `No code was uploaded for the function ${slug}`);
  return MULTIPART.test(headers.Accept ?? "") ? partsOf(bundle, ezbrSha256 ?? slug) : bytesOf(bundle);
};

const deleteFunction: Handler<Operations["deleteFunction"]> = ({ params, world, isLost }) => {
  const project = settledProjectAt(world, params.ref);
  const { slug } = functionAt(project, params.function_slug);
  if (!isLost) project.functions.delete(slug);
};

function functionAt(project: ProjectRecord, slug: string): FunctionRecord {
  return requireFound(project.functions.get(slug), "Function not found");
}

/** Paths are answered as URLs, whatever was sent (service, Edge functions). */
function asUrl(path: string): string {
  return path.startsWith("file:") ? path : pathToFileURL(`/${normalizedPath(path)}`).href;
}

function viewFunction(record: FunctionRecord): OperationAnswer<Operations["getFunction"]> {
  return {
    id: record.id,
    slug: record.slug,
    name: record.name,
    status: record.status,
    version: record.version,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    verify_jwt: record.verifyJwt,
    import_map: record.importMap,
    ...(record.entrypointPath === null ? {} : { entrypoint_path: asUrl(record.entrypointPath) }),
    ...(record.importMapPath === null ? {} : { import_map_path: asUrl(record.importMapPath) }),
    ...(record.ezbrSha256 === null ? {} : { ezbr_sha256: record.ezbrSha256 }),
    ...record.further,
  };
}

export const functionHandlers = {
  listFunctions,
  getFunction,
  getFunctionBody,
  createFunction,
  deployFunction,
  updateFunctions,
  updateFunction,
  deleteFunction,
};
