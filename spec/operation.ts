import { z } from "zod";

export type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";

/** OAuth scopes used by endpoints (service, Access). */
export type OAuthScope =
  | `${"analytics" | "organizations" | "storage"}:read`
  | `analytics_config:${"read" | "write"}`
  | `${"auth" | "database" | "domains" | "edge_functions" | "environment" | "projects" | "rest" | "secrets"}:${"read" | "write"}`;

export type BodyContentType =
  | "application/json"
  | "application/x-www-form-urlencoded"
  | "multipart/form-data"
  | "application/vnd.denoland.eszip";

/** A request body: its content type and the schema of what is sent. */
export interface RequestBody<S extends z.ZodType = z.ZodType> {
  readonly contentType: BodyContentType;
  /** Content type of a body that is given as bytes, where the endpoint takes either. */
  readonly bytesContentType?: BodyContentType;
  readonly schema: S;
}

/**
 * The success answer: its status code and the schema of its body; `z.void()` where the body is empty or `{}`. With
 * `header` there is no body: the value is what this response header says, in lower case.
 */
export interface Success<S extends z.ZodType = z.ZodType> {
  readonly status: 200 | 201 | 204;
  /** The status that was measured, where it is another one. */
  readonly measuredStatus?: 204;
  readonly contentType: "application/json" | "text/plain" | "application/octet-stream";
  readonly header?: string;
  /** What the running service writes where the specification has `{}`: null for no body at all. */
  readonly written?: EmptyAnswer;
  /** The request named what was changed: no identifier of it is needed to go on. */
  readonly isOfNamed?: true;
  /** Of the bodies that may be large by right: of functions, queries, types, differences and logs. */
  readonly isLarge?: true;
  /** The running service names no character set (service, SQL). */
  readonly isWithoutCharset?: true;
  readonly schema: S;
}

export type EmptyAnswer = { readonly message: string } | null;

/**
 * Requests per window beyond the standard 120 a minute per scope (service, Limits). A stricter limit counts
 * the calls of one endpoint within one project.
 */
export interface StricterLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** Labels that the specification gives an endpoint; a stable one has none (service, Versions). */
export type Stability = "beta" | "alpha" | "deprecated" | "experimental" | "partner-only";

type OperationPath = `/${"v1" | "v2"}/${string}`;

/** One endpoint of the Management API. */
export interface Operation<
  P extends z.ZodObject = z.ZodObject,
  Q extends z.ZodObject = z.ZodObject,
  B extends RequestBody | undefined = RequestBody | undefined,
  S extends Success = Success,
  H extends z.ZodObject = z.ZodObject,
> {
  readonly method: Method;
  /** Path with `{name}` parameters. */
  readonly path: OperationPath;
  readonly params: P;
  readonly query: Q;
  /** Request headers besides the usual ones. */
  readonly headers: H;
  readonly body: B;
  readonly success: S;
  /** Error codes listed by the specification; others occur as well. */
  readonly errors: readonly number[];
  readonly scope: OAuthScope | undefined;
  /** One of the inner lists must be held whole; empty when none is listed. */
  readonly permissions: readonly (readonly string[])[];
  /** What newer documents list in their place; empty where that is the same (service, Access). */
  readonly changedPermissions: readonly (readonly string[])[];
  /** The scope that newer documents list, where these list none. */
  readonly changedScope: OAuthScope | undefined;
  readonly stricterLimits: readonly StricterLimit[];
  /** Whether sending the same request twice leaves the service as sending it once. */
  readonly idempotent: boolean;
  /** How long it takes is up to the user's own data: it is sent once, and its deadline alone ends the wait for its answer. */
  readonly isLong: boolean;
  readonly stability: readonly Stability[];
}

/** The status of success as it was measured, or else as documented. */
export function measuredStatusOf({ success }: Pick<Operation, "success">): Success["status"] {
  return success.measuredStatus ?? success.status;
}

const noFields = z.object({});
type NoFields = typeof noFields;

interface OperationEntry<
  P extends z.ZodObject,
  Q extends z.ZodObject,
  B extends RequestBody | undefined,
  S extends Success,
  H extends z.ZodObject,
> {
  method: Method;
  path: OperationPath;
  params?: P;
  query?: Q;
  headers?: H;
  body?: B;
  success: S;
  errors?: readonly number[];
  scope?: OAuthScope;
  permissions?: readonly (readonly string[])[];
  changedPermissions?: readonly (readonly string[])[];
  changedScope?: OAuthScope;
  stricterLimits?: readonly StricterLimit[];
  idempotent?: boolean;
  isLong?: true;
  stability?: readonly Stability[];
}

/** Completes an entry of the operation table with the defaults; only POST is not idempotent unless the entry says so. */
export function operation<
  S extends Success,
  P extends z.ZodObject = NoFields,
  Q extends z.ZodObject = NoFields,
  B extends RequestBody | undefined = undefined,
  H extends z.ZodObject = NoFields,
>(entry: OperationEntry<P, Q, B, S, H>): Operation<P, Q, B, S, H> {
  return {
    method: entry.method,
    path: entry.path,
    // An absent key means "no fields", which the type parameter's default says as well.
    params: entry.params ?? (noFields as unknown as P),
    query: entry.query ?? (noFields as unknown as Q),
    headers: entry.headers ?? (noFields as unknown as H),
    body: entry.body as B,
    success: entry.success,
    errors: entry.errors ?? [],
    scope: entry.scope,
    permissions: entry.permissions ?? [],
    changedPermissions: entry.changedPermissions ?? [],
    changedScope: entry.changedScope,
    stricterLimits: entry.stricterLimits ?? [],
    idempotent: entry.idempotent ?? entry.method !== "POST",
    isLong: entry.isLong ?? false,
    stability: entry.stability ?? [],
  };
}

export function json<S extends z.ZodType>(schema: S): RequestBody<S> {
  return { contentType: "application/json", schema };
}

/** JSON, or the bytes of a bundle in its own content type (service, Edge functions). */
export function jsonOrBytes<S extends z.ZodType>(
  schema: S,
): RequestBody<z.ZodUnion<[S, z.ZodType<Uint8Array, Uint8Array>]>> {
  return {
    contentType: "application/json",
    bytesContentType: "application/vnd.denoland.eszip",
    schema: z.union([schema, z.instanceof(Uint8Array)]),
  };
}

export function form<S extends z.ZodType>(schema: S): RequestBody<S> {
  return { contentType: "application/x-www-form-urlencoded", schema };
}

export function multipart<S extends z.ZodType>(schema: S): RequestBody<S> {
  return { contentType: "multipart/form-data", schema };
}

/** One file of a multipart body: its part's file name (a relative path with `/`) and its bytes. */
export const filePart = z.object({ name: z.string().min(1), content: z.instanceof(Uint8Array) });
export type FilePart = z.infer<typeof filePart>;

export function answers<S extends z.ZodType>(status: 200 | 201 | 204, schema: S): Success<S> {
  return { status, contentType: "application/json", schema };
}

/** The answer to a change of what the request names: none of its fields is needed to go on. */
export function answersOfNamed<S extends z.ZodType>(
  status: 200 | 201,
  schema: S,
): Success<S> & { readonly isOfNamed: true } {
  return { ...answers(status, schema), isOfNamed: true };
}

/** What a user's own database, code or log has in it decides how much that is. */
export function answersLarge<S extends z.ZodType>(
  status: 200 | 201,
  schema: S,
): Success<S> & { readonly isLarge: true } {
  return { ...answers(status, schema), isLarge: true };
}

export function answersText(status: 200 | 201): Success<z.ZodString> {
  return { status, contentType: "text/plain", isLarge: true, schema: z.string() };
}

/** Bytes of any kind. */
export function answersBytes(status: 200): Success<z.ZodType<Uint8Array, Uint8Array>> {
  return {
    status,
    contentType: "application/octet-stream",
    isLarge: true,
    schema: z.instanceof(Uint8Array),
  };
}

/** A response header instead of a body. */
export function answersHeader<S extends z.ZodType>(status: 200, header: string, schema: S): Success<S> {
  return { status, contentType: "application/json", header, schema };
}

/** The specification's `{}`: the body may be empty or an empty object. */
export function answersEmpty(status: 200 | 201 | 204, written?: EmptyAnswer): Success<z.ZodVoid> {
  const success = { status, contentType: "application/json", schema: z.void() } as const;
  return written === undefined ? success : { ...success, written };
}

/** No fields at all would be `Record<string, never>`, which admits no body beside it. */
type FieldsOf<S extends z.ZodObject> = keyof S["shape"] extends never ? unknown : z.input<S>;

/** What a caller passes: path, query and header fields side by side, the body beside them. */
export type OperationParameters<O extends Operation> = FieldsOf<O["params"]> &
  FieldsOf<O["query"]> &
  FieldsOf<O["headers"]> &
  (O["body"] extends RequestBody<infer B> ? { body: z.input<B> } : unknown);

/** What the service answers when it keeps to the specification. */
export type OperationAnswer<O extends Operation> = z.input<O["success"]["schema"]>;
