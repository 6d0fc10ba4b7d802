import { rmSync } from "node:fs";
import {
  credentials,
  Server,
  ServerCredentials,
  status,
  type Client,
  type ServiceError,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogSeverity, type LogRequest } from "@pulumi/pulumi/proto/engine_pb";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { startPluginServer } from "../../provider/plugin/server";
import type { StatusLine } from "../../provider/process/status-reporter";
import type { Values } from "../../provider/define/values";
import type { Scenario } from "./scenario";
import { temporaryFolder } from "./temporary-folder";
import { overTheWire } from "./engine-values";
import type { Found, InState, ProcessOptions, ProviderProcess, StepFailure } from "./provider-process";

/** A difference as the engine gets it. */
export type DetailedDiff = Readonly<Record<string, keyof typeof proto.PropertyDiff.Kind>>;

export interface PluginDiff {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
  readonly detailed: DetailedDiff;
  readonly stables: string[];
}

/** The plugin's process as the engine talks to it: over gRPC, secrets and unknown values in the protocol's own form. */
export interface PluginProcess extends ProviderProcess {
  /** Lines with the URN of the row that they stand on. */
  readonly rows: readonly StatusLine[];
  readonly urn: string;
  check(
    inputs: Values,
    olds?: Values,
    naming?: proto.CheckRequest.AutonamingOptions,
  ): ReturnType<ProviderProcess["check"]>;
  diff(state: InState, inputs: Values): Promise<PluginDiff>;
  create(inputs: Values, options?: { preview?: boolean; timeout?: number }): Promise<InState>;
  update(state: InState, inputs: Values, options?: { preview?: boolean; timeout?: number }): Promise<InState>;
  import(id: string): Promise<Found>;
  /** What a program looks up without declaring it. */
  get(id: string): Promise<Found>;
  invoke(name: string, args: Values): Promise<{ result: Values; failures: CheckFailure[] }>;
  /** One page of what can be imported, of this type unless `page` names another token. */
  list(query: Values, page?: ListPage): Promise<Listing>;
  checkConfig(inputs: Values): ReturnType<ProviderProcess["check"]>;
  diffConfig(
    olds: Values,
    news: Values,
  ): Promise<Pick<PluginDiff, "changes" | "replaces" | "detailed"> & { readonly diffs: string[] }>;
  cancel(): Promise<void>;
}

export interface ListPage {
  readonly limit?: number;
  readonly pageSize?: number;
  readonly after?: string;
}

export interface Listing {
  readonly found: readonly proto.ListResponse.Result.AsObject[];
  /** What asks for the next page; "" where there is none. */
  readonly next: string;
  /** Whether the answer is that it cannot be known yet. */
  readonly isUnknown: boolean;
}

type CheckFailure = { property: string; reason: string };

export async function startPluginProcess(
  { emulator, url, clock }: Pick<Scenario, "emulator" | "url" | "clock">,
  type: string,
  options: ProcessOptions = { config: {} },
): Promise<PluginProcess> {
  const folder = temporaryFolder("management-plugin-");
  const engine = await startEngine();
  const env = options.env ?? {
    MANAGEMENT_BASE_URL: url,
    MANAGEMENT_ACCESS_TOKEN: emulator.accessToken,
  };
  const server = await startPluginServer({
    env: { XDG_STATE_HOME: folder, ...env },
    schema: () => "{}",
    clock,
  });
  const client = new ResourceProviderClient(`127.0.0.1:${server.port}`, credentials.createInsecure());
  const above = options.component === undefined ? "" : `management:index:${options.component}$`;
  const urn = `urn:pulumi:dev::shop::${above}management:index:${type}::${type.toLowerCase()}`;

  const handshake = new proto.ProviderHandshakeRequest();
  handshake.setEngineAddress(engine.address);
  const abilities = await call<proto.ProviderHandshakeResponse>(client, "handshake", handshake);
  expect(abilities.toObject()).toMatchObject({ acceptSecrets: true, supportsAutonamingConfiguration: true });
  if (options.config !== undefined) {
    const configure = new proto.ConfigureRequest();
    configure.setUrn("urn:pulumi:dev::shop::pulumi:providers:management::default");
    const settings = Object.entries(options.config).map(([key, value]) => [key.split(":")[1] ?? key, value]);
    configure.setArgs(struct(Object.fromEntries(settings) as Values));
    const configured = await call<proto.ConfigureResponse>(client, "configure", configure);
    expect(configured.toObject()).toMatchObject({ acceptsecrets: true, supportspreview: true });
  }

  return {
    urn,
    rows: engine.rows,
    get lines() {
      return engine.rows.map(({ message }) => message).filter((message) => message !== "");
    },
    check: async (inputs, olds = {}, naming) => {
      const request = about(new proto.CheckRequest(), urn);
      request.setOlds(struct(olds));
      request.setNews(struct(inputs));
      request.setRandomseed(Buffer.from("a seed of the engine"));
      request.setAutonaming(naming);
      return checked(await call<proto.CheckResponse>(client, "check", request));
    },
    diff: async ({ id, outs }, inputs) => {
      const request = about(new proto.DiffRequest(), urn);
      request.setId(id);
      request.setOlds(struct(outs));
      request.setNews(struct(inputs));
      const response = await call<proto.DiffResponse>(client, "diff", request);
      return {
        changes: response.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: response.getReplacesList(),
        deleteBeforeReplace: response.getDeletebeforereplace(),
        detailed: detailedIn(response),
        stables: response.getStablesList(),
      };
    },
    create: async (inputs, { preview = false, timeout = 0 } = {}) => {
      const request = about(new proto.CreateRequest(), urn);
      request.setProperties(struct(inputs));
      request.setPreview(preview);
      request.setTimeout(timeout);
      const response = await call<proto.CreateResponse>(client, "create", request);
      return { id: response.getId(), outs: values(response.getProperties()) };
    },
    read: ({ inputs, ...state }) => read(client, urn, state, inputs),
    import: (id) => read(client, urn, { id }),
    get: (id) => read(client, urn, { id, outs: {} }),
    update: async ({ id, outs }, inputs, { preview = false, timeout = 0 } = {}) => {
      const request = about(new proto.UpdateRequest(), urn);
      request.setId(id);
      request.setOlds(struct(outs));
      request.setNews(struct(inputs));
      request.setPreview(preview);
      request.setTimeout(timeout);
      const response = await call<proto.UpdateResponse>(client, "update", request);
      return { id, outs: values(response.getProperties()) };
    },
    delete: async ({ id, outs }) => {
      const request = about(new proto.DeleteRequest(), urn);
      request.setId(id);
      request.setProperties(struct(outs));
      await call<Empty>(client, "delete", request);
    },
    invoke: async (name, args) => {
      const request = new proto.InvokeRequest();
      request.setTok(`management:index:${name}`);
      request.setArgs(struct(args));
      const response = await call<proto.InvokeResponse>(client, "invoke", request);
      return { result: values(response.getReturn()), failures: failuresIn(response) };
    },
    list: (query, { limit = 0, pageSize = 0, after = "" } = {}) => {
      const request = new proto.ListRequest().setToken(`management:index:${type}`).setQuery(struct(query));
      return listed(client, request.setLimit(limit).setPageSize(pageSize).setContinuationToken(after));
    },
    checkConfig: async (inputs) => {
      const request = about(
        new proto.CheckRequest(),
        "urn:pulumi:dev::shop::pulumi:providers:management::own",
      );
      request.setNews(struct(inputs));
      return checked(await call<proto.CheckResponse>(client, "checkConfig", request));
    },
    diffConfig: async (olds, news) => {
      const request = about(
        new proto.DiffRequest(),
        "urn:pulumi:dev::shop::pulumi:providers:management::own",
      );
      request.setOldInputs(struct(olds));
      request.setNews(struct(news));
      const response = await call<proto.DiffResponse>(client, "diffConfig", request);
      return {
        changes: response.getChanges() === proto.DiffResponse.DiffChanges.DIFF_SOME,
        replaces: response.getReplacesList(),
        diffs: response.getDiffsList(),
        detailed: detailedIn(response),
      };
    },
    cancel: async () => {
      await call<Empty>(client, "cancel", new Empty());
    },
    close: () => {
      client.close();
      server.close();
      engine.close();
      rmSync(folder, { recursive: true, force: true });
      return Promise.resolve();
    },
  };
}

async function listed(client: ResourceProviderClient, request: proto.ListRequest): Promise<Listing> {
  const answers: proto.ListResponse[] = [];
  await new Promise((resolve, reject) => {
    client
      .list(request)
      .on("data", (answer: proto.ListResponse) => answers.push(answer))
      .on("error", (error: ServiceError) => reject(failureIn(error)))
      .on("end", resolve);
  });
  return {
    found: answers.flatMap((answer) => answer.getResult()?.toObject() ?? []),
    next: answers.map((answer) => answer.getContinuation()?.getContinuationToken() ?? "").join(""),
    isUnknown: answers.some((answer) => answer.hasComputed()),
  };
}

async function read(
  client: ResourceProviderClient,
  urn: string,
  { id, outs }: { readonly id: string; readonly outs?: Values },
  inputs?: Values,
): Promise<Found> {
  const request = about(new proto.ReadRequest(), urn);
  request.setId(id);
  if (outs !== undefined) request.setProperties(struct(outs));
  if (inputs !== undefined) request.setInputs(struct(inputs));
  const response = await call<proto.ReadResponse>(client, "read", request);
  const found = response.getInputs();
  return {
    id: response.getId(),
    outs: values(response.getProperties()),
    inputs: found === undefined ? undefined : values(found),
  };
}

/** The differences that an answer names by their paths, those of outputs as `output <path>`. */
function detailedIn(response: proto.DiffResponse): DetailedDiff {
  const detailed = new Map<string, DetailedDiff[string]>();
  response.getDetaileddiffMap().forEach((detail, path) => {
    detailed.set(detail.getInputdiff() ? path : `output ${path}`, kindNames[detail.getKind()] ?? "ADD");
  });
  expect(response.getHasdetaileddiff()).toBe(detailed.size > 0);
  return Object.fromEntries(detailed);
}

const kindNames = Object.fromEntries(
  Object.entries(proto.PropertyDiff.Kind).map(([name, kind]) => [kind, name]),
) as Readonly<Record<number, keyof typeof proto.PropertyDiff.Kind>>;

function about<R extends { setUrn(urn: string): unknown; setType(type: string): unknown }>(
  request: R,
  urn: string,
): R {
  request.setUrn(urn);
  request.setType(urn.split("::")[2]?.split("$").at(-1) ?? "");
  return request;
}

function checked(response: proto.CheckResponse): { inputs: Values; failures: CheckFailure[] } {
  return { inputs: values(response.getInputs()), failures: failuresIn(response) };
}

function failuresIn(response: { getFailuresList(): proto.CheckFailure[] }): CheckFailure[] {
  return response.getFailuresList().map((one) => ({ property: one.getProperty(), reason: one.getReason() }));
}

function struct(given: Values): Struct {
  return Struct.fromJavaScript(overTheWire(given) as Parameters<typeof Struct.fromJavaScript>[0]);
}

function values(answered: Struct | undefined): Values {
  return answered?.toJavaScript() ?? {};
}

/** Calls a method; an error arrives as the engine takes it apart, with the half-made resource in its details. */
function call<A>(client: Client, method: string, request: unknown): Promise<A> {
  return new Promise<A>((resolve, reject) => {
    const run: unknown = Reflect.get(client, method);
    if (typeof run !== "function") throw new Error(`The service has no method ${method}`);
    Reflect.apply(run, client, [
      request,
      (error: ServiceError | null, answer: A) =>
        error === null ? resolve(answer) : reject(failureIn(error)),
    ]);
  });
}

function failureIn(error: ServiceError): Error & Partial<StepFailure> & { code: status } {
  const failure = Object.assign(new Error(error.details), { code: error.code });
  const [details] = error.metadata.get("grpc-status-details-bin");
  if (!Buffer.isBuffer(details)) return failure;
  const [any] = Status.deserializeBinary(details).getDetailsList();
  const half = any?.unpack(
    (bytes: Uint8Array) => proto.ErrorResourceInitFailed.deserializeBinary(bytes),
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (half == null) throw new Error("The error's details hold no half-made resource");
  return Object.assign(failure, {
    id: half.getId(),
    properties: values(half.getProperties()),
    reasons: half.getReasonsList(),
  });
}

/** As much of the engine as a plugin calls. */
async function startEngine() {
  const rows: StatusLine[] = [];
  const server = new Server();
  const service: UntypedServiceImplementation = {
    log: ({ request }: { request: LogRequest }, callback: (error: null, answer: Empty) => void) => {
      rows.push({
        urn: request.getUrn(),
        message: request.getMessage(),
        isEphemeral: request.getEphemeral(),
        severity: request.getSeverity() === LogSeverity.INFO ? "info" : "warning",
      });
      callback(null, new Empty());
    },
  };
  server.addService(EngineService, service);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return { rows, address: `127.0.0.1:${port}`, close: () => server.forceShutdown() };
}
