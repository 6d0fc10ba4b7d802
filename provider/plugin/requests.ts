import type { ServiceError } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { checkConfig, configure, diffConfig } from "./configuration";
import { createPluginProcess, type ProcessOptions, type PluginProcess } from "./plugin-process";
import { check, create, diff, read, remove, update, toCheckFailure } from "./resource-steps";
import { toServiceError } from "./step-error";
import { RequestSubject } from "./subject";
import { functionByName, resourceByType } from "../catalog/catalog";
import { checkArguments, invokeFunction } from "../engine/invoke";
import {
  toSecret,
  keepSecretMarks,
  listSecretTexts,
  collectTexts,
  wrapSecrets,
} from "../engine/schema/secrets";
import { pick } from "../define/values";
import { marshal, unmarshal } from "./marshal";
import { parseToken } from "../define/token";
import type { ImportableObject } from "../define/list";
import { hasUnknown } from "../define/unknown";
import { listResources } from "../engine/list";

/** The requests that need the catalog. They reject with whatever failed, which `asServiceError` makes presentable. */
export interface RequestHandlers {
  checkConfig(request: proto.CheckRequest): Promise<proto.CheckResponse>;
  diffConfig(request: proto.DiffRequest): Promise<proto.DiffResponse>;
  configure(request: proto.ConfigureRequest): Promise<proto.ConfigureResponse>;
  invoke(request: proto.InvokeRequest): Promise<proto.InvokeResponse>;
  check(request: proto.CheckRequest): Promise<proto.CheckResponse>;
  diff(request: proto.DiffRequest): Promise<proto.DiffResponse>;
  create(request: proto.CreateRequest): Promise<proto.CreateResponse>;
  read(request: proto.ReadRequest): Promise<proto.ReadResponse>;
  update(request: proto.UpdateRequest): Promise<proto.UpdateResponse>;
  delete(request: proto.DeleteRequest): Promise<Empty>;
  list(request: proto.ListRequest): Promise<readonly proto.ListResponse[]>;
  construct(request: proto.ConstructRequest): Promise<proto.ConstructResponse>;
  asServiceError(error: unknown): ServiceError;
}

export function createRequests(options: ProcessOptions): RequestHandlers {
  const plugin = createPluginProcess(options);
  const print = (text: string): string => plugin.print(text);

  /** A request about a resource; one that exists but has not settled goes along with the error. */
  const about =
    <Q extends { getUrn(): string; getType(): string }, A>(
      work: (subject: RequestSubject, request: Q) => A | Promise<A>,
    ) =>
    async (request: Q): Promise<A> => {
      const subject = new RequestSubject(plugin, request);
      try {
        return await work(subject, request);
      } catch (error) {
        const printError = (text: string): string => subject.printError(text);
        throw toServiceError(error, { print: printError, outputs: subject.sealSecrets });
      } finally {
        await subject.end();
      }
    };

  return {
    // oxlint-disable-next-line typescript/require-await -- what it throws is to become a rejection
    checkConfig: async (request) => checkConfig(plugin, request),
    // oxlint-disable-next-line typescript/require-await -- what it throws is to become a rejection
    diffConfig: async (request) => diffConfig(request),
    // oxlint-disable-next-line typescript/require-await -- what it throws is to become a rejection
    configure: async (request) => configure(plugin, request),
    invoke: (request) => invoke(plugin, request),
    check: about((subject, request: proto.CheckRequest) => check(plugin, subject, request)),
    diff: about((subject, request: proto.DiffRequest) => diff(subject, request)),
    create: about((subject, request: proto.CreateRequest) => plugin.run(() => create(subject, request))),
    read: about((subject, request: proto.ReadRequest) => plugin.run(() => read(subject, request))),
    update: about((subject, request: proto.UpdateRequest) => plugin.run(() => update(subject, request))),
    delete: about(async (subject, request: proto.DeleteRequest) => {
      await plugin.run(() => remove(subject, request));
      return new Empty();
    }),
    list: (request) => plugin.run(() => list(plugin, request)),
    construct: (request) => {
      // oxlint-disable-next-line typescript/no-require-imports -- most programs have no component, which takes Pulumi's SDK
      const { construct } = require("./construct") as typeof import("./construct");
      return construct(request, options.engineAddress());
    },
    asServiceError: (error) => toServiceError(error, { print, outputs: (state) => state }),
  };
}

/** Calls a function of the catalog; faults of the arguments are reported with their paths. */
async function invoke(plugin: PluginProcess, request: proto.InvokeRequest): Promise<proto.InvokeResponse> {
  const definition = functionByName(parseToken(request.getTok()));
  const { values, secretNames } = unmarshal(request.getArgs());
  plugin.keepSecret([...listSecretTexts(definition, values), ...collectTexts(pick(values, secretNames))]);
  const response = new proto.InvokeResponse();
  const redaction = { redact: plugin.print, isSecret: (name: string) => secretNames.has(name) };
  for (const { path, reason } of checkArguments(definition, values, redaction)) {
    // Of an argument the SDKs print the name alone, never the value.
    response.addFailures(toCheckFailure({ property: plugin.print(path), reason: plugin.print(reason) }));
  }
  if (response.getFailuresList().length > 0) return response;
  const result = await askService(plugin, (runtime) =>
    invokeFunction(runtime, definition, values, redaction),
  );
  plugin.keepSecret(listSecretTexts(definition, result));
  const wrapped = wrapSecrets(definition, result, toSecret);
  // What was asked with a secret may tell it.
  const names = new Set(secretNames.size === 0 ? [] : Object.keys(result));
  response.setReturn(marshal(keepSecretMarks(wrapped, names)));
  return response;
}

/** Asks with lines of progress that belong to no resource, and ends them with the answer. */
async function askService<Result>(
  plugin: PluginProcess,
  ask: (runtime: ReturnType<PluginProcess["runtime"]>) => Promise<Result>,
): Promise<Result> {
  const lines = plugin.open("");
  try {
    return await ask(plugin.runtime(lines));
  } finally {
    await lines.end();
  }
}

/** A page of the objects of a type, and where the next one begins: after the last id of this one. */
async function list(
  plugin: PluginProcess,
  request: proto.ListRequest,
): Promise<readonly proto.ListResponse[]> {
  const resource = resourceByType(parseToken(request.getToken()));
  const { values } = unmarshal(request.getQuery());
  if (hasUnknown(values)) return [new proto.ListResponse().setComputed(new proto.ListResponse.Computed())];
  const all = await askService(plugin, (runtime) => listResources(runtime, resource, values));
  const [limit, pageSize, after] = [
    request.getLimit(),
    request.getPageSize(),
    request.getContinuationToken(),
  ];
  const left = (limit > 0 ? all.slice(0, limit) : all).filter(({ id }) => id > after);
  const page = pageSize > 0 ? left.slice(0, pageSize) : left;
  const last = page.at(-1);
  const isCut = last !== undefined && page.length < left.length;
  return [...page.map(result), ...(isCut ? [toContinuation(last.id)] : [])];
}

function result({ id, name }: ImportableObject): proto.ListResponse {
  return new proto.ListResponse().setResult(new proto.ListResponse.Result().setId(id).setName(name));
}

function toContinuation(token: string): proto.ListResponse {
  const next = new proto.ListResponse.Continuation().setContinuationToken(token);
  return new proto.ListResponse().setContinuation(next);
}
