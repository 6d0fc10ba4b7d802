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
  const loadHandlers = (): RequestHandlers =>
    (requests ??= loadRequests().createRequests({
      env,
      clock,
      cancelling: cancelling.signal,
      steps,
      engineAddress: () => engineAddress,
    }));

  /** Answers at once, with nothing loaded but the messages. */
  const answerUnary =
    <Q, A>(work: (answer: MessagesModule, request: Q) => A): handleUnaryCall<Q, A> =>
    ({ request }, callback) =>
      callback(null, work(loadMessages(), request));

  const failureOf = (error: unknown): Error => requests?.asServiceError(error) ?? toStepError(error);

  /** What `demand` throws is a failure of the request too. */
  const answerTo = async <Q, A>(
    work: (all: RequestHandlers, request: Q) => Promise<A>,
    request: Q,
  ): Promise<A> => work(loadHandlers(), request);

  const handleUnary =
    <Q, A>(work: (all: RequestHandlers, request: Q) => Promise<A>): handleUnaryCall<Q, A> =>
    ({ request }, callback) => {
      answerTo(work, request).then(
        (answer) => callback(null, answer),
        (error: unknown) => callback(failureOf(error)),
      );
    };

  /** Answers with one message after the other. */
  const handleStream =
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
    handshake: answerUnary((answer, request: proto.ProviderHandshakeRequest) => {
      engineAddress ??= request.getEngineAddress();
      steps?.watch();
      return answer.abilities();
    }),
    attach: answerUnary((answer, request: PluginAttach) => {
      engineAddress = request.getAddress();
      steps?.watch();
      return answer.nothing();
    }),
    getPluginInfo: answerUnary((answer) => answer.version()),
    getSchema: answerUnary((answer) => answer.packageSchema(schema())),
    cancel: answerUnary((answer) => {
      cancelling.abort();
      return answer.nothing();
    }),
    checkConfig: handleUnary((all, request: proto.CheckRequest) => all.checkConfig(request)),
    diffConfig: handleUnary((all, request: proto.DiffRequest) => all.diffConfig(request)),
    configure: handleUnary((all, request: proto.ConfigureRequest) => all.configure(request)),
    invoke: handleUnary((all, request: proto.InvokeRequest) => all.invoke(request)),
    check: handleUnary((all, request: proto.CheckRequest) => all.check(request)),
    diff: handleUnary((all, request: proto.DiffRequest) => all.diff(request)),
    create: handleUnary((all, request: proto.CreateRequest) => all.create(request)),
    read: handleUnary((all, request: proto.ReadRequest) => all.read(request)),
    update: handleUnary((all, request: proto.UpdateRequest) => all.update(request)),
    construct: handleUnary((all, request: proto.ConstructRequest) => all.construct(request)),
    list: handleStream((all, request: proto.ListRequest) => all.list(request)),
    delete: handleUnary((all, request: proto.DeleteRequest) => all.delete(request)),
  };
}

/** What goes wrong before there is anything to redact. */
function toStepError(error: unknown): Error {
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
