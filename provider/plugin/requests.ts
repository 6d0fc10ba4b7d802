import type { ServiceError } from "@grpc/grpc-js";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { checkConfig, configure, diffConfig } from "./configuration-steps";
import { invoke } from "./function-call";
import { list } from "./list-call";
import { createPluginProcess, type ProcessOptions } from "./plugin-process";
import { check, create, diff, read, remove, update } from "./resource-steps";
import { toServiceError } from "./step-error";
import { Subject } from "./subject";

/** The requests that need the catalog. They reject with whatever failed, which `asServiceError` makes presentable. */
export interface Requests {
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
  asServiceError(error: unknown): ServiceError;
}

export function createRequests(options: ProcessOptions): Requests {
  const plugin = createPluginProcess(options);
  const redact = (text: string): string => plugin.redact(text);

  /** A request about a resource; one that exists but has not settled goes along with the error. */
  const about =
    <Q extends { getUrn(): string; getType(): string }, A>(
      work: (subject: Subject, request: Q) => A | Promise<A>,
    ) =>
    async (request: Q): Promise<A> => {
      const subject = new Subject(plugin, request);
      try {
        return await work(subject, request);
      } catch (error) {
        throw toServiceError(error, { redact, outputs: subject.sealed });
      } finally {
        await subject.end();
      }
    };

  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to become a rejection
    checkConfig: async (request) => checkConfig(plugin, request),
    // eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to become a rejection
    diffConfig: async (request) => diffConfig(request),
    // eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to become a rejection
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
    asServiceError: (error) => toServiceError(error, { redact, outputs: (state) => state }),
  };
}
