import { z } from "zod";
import type { ApiRequest } from "../../../emulator/service/server/request";
import { validate } from "../../../emulator/service/server/validate";
import { ServerWire as ServerWire } from "../../../emulator/service/server/wire";
import type { EncodedBody } from "../../../provider/client/transport/request-body";
import { ClientWire } from "../../../provider/client/wire";
import {
  answersEmpty,
  filePart,
  form,
  json,
  multipart,
  operation,
  type Operation,
} from "../../../spec/operation";
import type { Names } from "../../../spec/names/names";
import { parseNames } from "../../../spec/names/read-names";

/** Placeholders where the API itself has none yet: in a query, a form, a part of a multipart body and what is in it. */
const fields = {
  external_idp01_enabled: z.boolean().optional(),
  sms_provider: z.enum(["vendorA", "vendorB"]).optional(),
  providers: z.array(z.enum(["vendorA", "vendorB"])).optional(),
  note: z.string().optional(),
};
const entry = {
  method: "POST",
  path: "/v1/projects/{ref}/rest-layer/{note}",
  params: z.object({ ref: z.string(), note: z.string() }),
  success: answersEmpty(200),
} as const;
const file = { file: z.array(filePart).optional(), sms_vendorA_originator: z.object(fields), ...fields };
const table: Readonly<Record<string, Operation>> = {
  inJson: operation({ ...entry, query: z.object(fields), body: json(z.object(fields)) }),
  inForm: operation({ ...entry, query: z.object(fields), body: form(z.object(fields)) }),
  inParts: operation({ ...entry, query: z.object(fields), body: multipart(z.object(file)) }),
};
const single = {
  external_idp01_enabled: true,
  sms_provider: "vendorA",
  note: "vendorA, external_idp01_enabled",
};
const given = { ...single, providers: ["vendorA", "vendorB"] };
const code = {
  name: "external_idp01_enabled.ts",
  content: new TextEncoder().encode('const vendorA = "SVC_";'),
};

const vendors = { vendorA: "pigeo", vendorB: "heliogro" };
const names = namesIn({
  paths: { "rest-layer": "acme-rest" },
  fieldPrefixes: { external_idp01_: "external_acme-login_", sms_vendorA_: "sms_pigeo_" },
  values: { providers: vendors, sms_provider: vendors },
});
const wire = new ClientWire(names);

it.each(Object.entries(table))(
  "%s, placeholders arrive as they were sent and leave in the installation's words",
  async (name, called) => {
    const isInParts = called.body?.contentType === "multipart/form-data";
    // A list of a multipart body is one of files.
    const body = isInParts ? { ...single, sms_vendorA_originator: given, file: [code] } : given;
    const target = wire.target(name, called, { ref: "r", ...given, note: "rest-layer" });
    const encoded = await wire.body(called, body);
    if (encoded === undefined) throw new Error("there is no body");

    const url = new URL(target, "http://127.0.0.1");
    expect(url.pathname).toBe("/v1/projects/r/acme-rest/rest-layer");
    expect([...url.searchParams.keys()]).toEqual([
      "external_acme-login_enabled",
      "sms_provider",
      "providers",
      "providers",
      "note",
    ]);
    const onWire = new TextDecoder().decode(bytesOf(encoded));
    for (const word of ["external_acme-login_enabled", "pigeo"]) expect(onWire).toContain(word);

    const request: ApiRequest = {
      method: "POST",
      path: url.pathname,
      target: undefined,
      params: { ref: "r", note: "rest-layer" },
      query: url.searchParams,
      clientAddress: "127.0.0.1",
      headers: {},
      header: (header) => (header === "content-type" ? encoded.contentType : undefined),
      readBody: () => Promise.resolve(bytesOf(encoded)),
    };
    const input = validate(called, await new ServerWire(names).input(called, request));
    expect(input.query).toEqual({ ...given, note: "rest-layer" });
    expect(input.body).toEqual(body);
  },
);

function bytesOf({ content }: EncodedBody): Uint8Array {
  return typeof content === "string" ? new TextEncoder().encode(content) : content;
}

function namesIn(file: object): Names {
  const found = parseNames(JSON.stringify(file), table);
  if ("toWire" in found) return found;
  throw new Error(found.map(({ reason }) => reason).join("; "));
}
