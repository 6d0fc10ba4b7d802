import { FormData } from "undici";
import { type Body, type FilePart, filePart } from "../../spec/operation";

/** A body in the transport's terms; multipart chooses its content type together with its boundary. */
export interface EncodedBody {
  readonly content: string | Uint8Array | FormData;
  readonly contentType: string | undefined;
}

export function encodeBody({ contentType, bytesContentType }: Body, body: unknown): EncodedBody {
  if (bytesContentType !== undefined && body instanceof Uint8Array) {
    return { content: body, contentType: bytesContentType };
  }
  switch (contentType) {
    case "application/json":
      return { content: JSON.stringify(body ?? {}), contentType };
    case "application/x-www-form-urlencoded":
      return { content: new URLSearchParams(givenFields(body)).toString(), contentType };
    case "multipart/form-data":
      return { content: formDataOf(body), contentType: undefined };
    case "application/vnd.denoland.eszip":
      return { content: body instanceof Uint8Array ? body : new Uint8Array(), contentType };
  }
}

function givenFields(body: unknown): [string, string][] {
  return Object.entries(body ?? {}).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)] as [string, string]],
  );
}

/** Files become repeated parts with file names, everything else one JSON part (`behaviour.md`, Functions). */
function formDataOf(body: unknown): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body ?? {}) as [string, unknown][]) {
    if (value === undefined) continue;
    if (isFileList(value)) {
      for (const file of value)
        form.append(name, new File([new Uint8Array(file.content)], file.name), file.name);
    } else {
      form.append(name, typeof value === "string" ? value : JSON.stringify(value));
    }
  }
  return form;
}

function isFileList(value: unknown): value is FilePart[] {
  return Array.isArray(value) && value.every((item) => filePart.safeParse(item).success);
}
