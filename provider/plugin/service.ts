import type { handleServerStreamingCall, handleUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import type { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb";
import type * as proto from "@pulumi/pulumi/proto/provider_pb";
import type { Clock } from "../client/clock";
import { exitWithEngine } from "../process/exit-with-engine";
import type { RequestHandlers } from "./requests";

type MessagesModule = typeof import("./messages");

export interface ServiceOptions {
  readonly env: NodeJS.ProcessEnv;
  /** The package schema as JSON. */
  readonly schema: () => string;
  /** The engine's address; it may also come with the handshake. */
  readonly engineAddress?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Ends the process once the engine is gone; without it the engine is not watched. */
  readonly end?: (() => void) | undefined;
}

/** Pulumi's resource provider service; what is missing here is answered "unimplemented", as the engine expects. */
export function createService(options: ServiceOptions): UntypedServiceImplementation {
  const { env, schema, clock, end } = options;
  let { engineAddress } = options;
  const cancelling = new AbortController();
  const steps = end === undefined ? undefined : exitWithEngine(() => engineAddress, end);
  let requests: RequestHandlers | undefined;
  const demand = (): RequestHandlers =>
    (requests ??= loadRequests().createRequests({
      env,
      clock,
      cancelling: cancelling.signal,
      steps,
      engineAddress: () => engineAddress,
    }));

  /** Answers at once, with nothing loaded but the messages. */
  const answering =
    <Q, A>(work: (answer: MessagesModule, request: Q) => A): handleUnaryCall<Q, A> =>
    ({ request }, callback) =>
      callback(null, work(loadMessages(), request));

  const failureOf = (error: unknown): Error => requests?.asServiceError(error) ?? asError(error);

  /** What `demand` throws is a failure of the request too. */
  const answerTo = async <Q, A>(
    work: (all: RequestHandlers, request: Q) => Promise<A>,
    request: Q,
  ): Promise<A> => work(demand(), request);

  const handling =
    <Q, A>(work: (all: RequestHandlers, request: Q) => Promise<A>): handleUnaryCall<Q, A> =>
    ({ request }, callback) => {
      answerTo(work, request).then(
        (answer) => callback(null, answer),
        (error: unknown) => callback(failureOf(error)),
      );
    };

  /** Answers with one message after the other. */
  const streaming =
    <Q, A>(
      work: (all: RequestHandlers, request: Q) => Promise<readonly A[]>,
    ): handleServerStreamingCall<Q, A> =>
    (call) => {
      answerTo(work, call.request).then(
        (answers) => {
          for (const answer of answers) call.write(answer);
          call.end();
        },
        (error: unknown) => call.emit("error", failureOf(error)),
      );
    };

  return {
    handshake: answering((answer, request: proto.ProviderHandshakeRequest) => {
      engineAddress ??= request.getEngineAddress();
      steps?.watch();
      return answer.abilities();
    }),
    attach: answering((answer, request: PluginAttach) => {
      engineAddress = request.getAddress();
      steps?.watch();
      return answer.nothing();
    }),
    getPluginInfo: answering((answer) => answer.version()),
    getSchema: answering((answer) => answer.packageSchema(schema())),
    cancel: answering((answer) => {
      cancelling.abort();
      return answer.nothing();
    }),
    checkConfig: handling((all, request: proto.CheckRequest) => all.checkConfig(request)),
    diffConfig: handling((all, request: proto.DiffRequest) => all.diffConfig(request)),
    configure: handling((all, request: proto.ConfigureRequest) => all.configure(request)),
    invoke: handling((all, request: proto.InvokeRequest) => all.invoke(request)),
    check: handling((all, request: proto.CheckRequest) => all.check(request)),
    diff: handling((all, request: proto.DiffRequest) => all.diff(request)),
    create: handling((all, request: proto.CreateRequest) => all.create(request)),
    read: handling((all, request: proto.ReadRequest) => all.read(request)),
    update: handling((all, request: proto.UpdateRequest) => all.update(request)),
    construct: handling((_all, request: proto.ConstructRequest) => {
      // oxlint-disable-next-line typescript/no-require-imports -- most programs have no component, which takes Pulumi's SDK
      const { construct } = require("./construct") as typeof import("./construct");
      return construct(request, engineAddress);
    }),
    list: streaming((all, request: proto.ListRequest) => all.list(request)),
    delete: handling((all, request: proto.DeleteRequest) => all.delete(request)),
  };
}

/** What goes wrong before there is anything to redact. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Loaded with the first request: the engine waits for the port before it sends one. */
export function loadMessages(): MessagesModule {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load a quarter of a megabyte at the start
  return require("./messages") as MessagesModule;
}

/** Loaded when a request first needs it: many engines ask a plugin for its version and schema, and for no more. */
function loadRequests(): typeof import("./requests") {
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load a megabyte at the start
  return require("./requests") as typeof import("./requests");
}
