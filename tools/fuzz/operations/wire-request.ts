import { isObject } from "../../../spec/is-object";
import type { FilePart, Operation } from "../../../spec/operation";

/** A request as it goes over the wire, to be sent to any emulator. */
export interface WireRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | FormData | undefined;
}

/** Values of a call by their place; a missing body is undefined. */
export interface Values {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Sorts the parameters of a call by their place. */
export function valuesOf(operation: Operation, parameters: unknown): Values {
  // Path, query and header fields side by side and a body: always an object.
  const fields = parameters as Readonly<Record<string, unknown>>;
  const pick = (shape: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.keys(shape)
        .filter((name) => fields[name] !== undefined)
        .map((name) => [name, fields[name]]),
    );
  return {
    params: pick(operation.params.shape),
    query: pick(operation.query.shape),
    headers: pick(operation.headers.shape),
    body: fields["body"],
  };
}

/** Spells a call by the operation table alone, whether or not its values are valid. */
export function wireRequest(operation: Operation, values: Values): WireRequest {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(textOf(values.params[name])),
  );
  const query = new URLSearchParams(
    Object.entries(values.query).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, textOf(one)]),
    ),
  );
  const { contentType, body } = encodeBody(operation, values.body);
  return {
    method: operation.method,
    path: query.size === 0 ? path : `${path}?${query.toString()}`,
    headers: {
      ...Object.fromEntries(Object.entries(values.headers).map(([name, value]) => [name, textOf(value)])),
      ...(contentType !== undefined && { "content-type": contentType }),
    },
    body,
  };
}

function encodeBody(
  operation: Operation,
  body: unknown,
): { readonly contentType?: string; readonly body: WireRequest["body"] } {
  if (body === undefined || operation.body === undefined) return { body: undefined };
  const { contentType, bytesContentType } = operation.body;
  if (body instanceof Uint8Array) {
    return { contentType: bytesContentType ?? contentType, body: new Uint8Array(body) };
  }
  if (contentType === "application/x-www-form-urlencoded" && isObject(body)) {
    const fields = Object.entries(body).map(([name, value]): [string, string] => [name, textOf(value)]);
    return { contentType, body: new URLSearchParams(fields).toString() };
  }
  // The sender adds the content type with its boundary.
  if (contentType === "multipart/form-data" && isObject(body)) return { body: multipartOf(body) };
  return { contentType, body: JSON.stringify(body) };
}

function multipartOf(fields: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const part of Array.isArray(value) ? value : [value]) {
      if (isFile(part)) form.append(name, new File([new Uint8Array(part.content)], part.name));
      else form.append(name, textOf(part));
    }
  }
  return form;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isFile(value: unknown): value is FilePart {
  return isObject(value) && value["content"] instanceof Uint8Array;
}
