import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { request } from "undici";
import type { z } from "zod";
import { parseJson } from "../../provider/client/parse-json";
import { parseBaseUrl } from "../../provider/client/transport/base-url";
import { createRoute } from "../../provider/client/transport/route";
import { isObject } from "../../spec/is-object";
import type { Names } from "../../spec/names/names";
import type { Exchange, Place } from "./exchange";
import { field } from "../field";
import { startLoopbackServer } from "../loopback-server";
import { operationFinder, type FoundOperation } from "./find-operation";
import type { OwnObjects } from "./own-objects";

/** Stands between the client and the service: passes on what is about objects of this run, and keeps what was said. */
export interface Recorder {
  /** The base URL for the client. */
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  /** The step to which the next calls belong. */
  place: Place;
  close(): Promise<void>;
}

interface Recorded {
  readonly baseUrl: string;
  readonly names: Names;
  readonly own: OwnObjects;
}

/** Headers of one connection, and those from which the service would answer in another encoding. */
const NOT_PASSED_ON = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "transfer-encoding",
]);

export async function startRecorder({ baseUrl, names, own }: Recorded): Promise<Recorder> {
  const service = parseBaseUrl(baseUrl);
  const route = createRoute(new URL(service).origin, 8, process.env);
  const find = operationFinder(names);
  const exchanges: Exchange[] = [];
  let place: Place = { type: "", step: "" };

  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const at = place;
    const url = new URL(incoming.url ?? "/", "http://recorder");
    const body = await buffer(incoming);
    const found = find(incoming.method ?? "", url.pathname);
    const sent = found && fromWire(names, found.operation.body?.schema, body);
    const refusal = found === undefined ? "the path is none of the API" : own.refusal(found, sent);
    if (found === undefined || refusal !== undefined) {
      const message = `The acceptance run does not send this: ${refusal}.`;
      outgoing.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify({ message }));
      return;
    }
    const answered = await request(`${service}${incoming.url}`, {
      // The table has only methods of HTTP.
      method: found.operation.method,
      headers: headersOf(incoming),
      body: body.byteLength === 0 ? null : body,
      dispatcher: route.dispatcher,
    });
    const bytes = Buffer.from(await answered.body.arrayBuffer());
    const answer = readAnswer(names, found, answered.statusCode, bytes);
    if (answered.statusCode < 300) own.learn(found, answer);
    exchanges.push({
      ...at,
      operation: found.name,
      method: found.operation.method,
      path: found.operation.path,
      query: queryOf(url),
      ...(sent !== undefined && { sent }),
      status: answered.statusCode,
      ...(answer !== undefined && { answer: ofThisRun(own, found, answer) }),
    });
    const headers = Object.entries(answered.headers).filter(([name]) => !NOT_PASSED_ON.has(name));
    outgoing.writeHead(answered.statusCode, Object.fromEntries(headers)).end(bytes);
  };

  const { url, close } = await startLoopbackServer((incoming, outgoing) => {
    // No answer is what the client is told where the service gave none.
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  return {
    url,
    exchanges,
    get place() {
      return place;
    },
    set place(next) {
      place = next;
    },
    async close() {
      await close();
      await route.dispatcher.close();
    },
  };
}

/** A parameter that is given several times is a list. */
function queryOf({ searchParams }: URL): Exchange["query"] {
  const names = [...new Set(searchParams.keys())];
  return Object.fromEntries(names.map((name) => [name, searchParams.getAll(name).join(",")]));
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" && !NOT_PASSED_ON.has(name) ? [[name, value]] : [],
    ),
  );
}

/** A JSON body in the specification's words; undefined for another one. */
function fromWire(names: Names, schema: z.ZodType | undefined, bytes: Buffer): unknown {
  const json = parseJson(bytes.toString("utf8"));
  return schema === undefined || json === undefined ? json : names.fromWire.value(schema, json);
}

function readAnswer(names: Names, { operation }: FoundOperation, status: number, bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return undefined;
  const { success } = operation;
  if (status < 300) {
    if (success.contentType === "application/json") return fromWire(names, success.schema, bytes);
    return `${success.contentType} body`;
  }
  const text = names.fromWire.text(bytes.toString("utf8"));
  return parseJson(text) ?? text;
}

/** Of a listing of projects only those of this run: the others, and how many they are, are nobody's business. */
function ofThisRun(own: OwnObjects, { name }: FoundOperation, answer: unknown): unknown {
  const isOwn = (project: unknown): boolean => own.has(field(project, "ref") ?? field(project, "id"));
  if (name === "listProjects" && Array.isArray(answer)) return answer.filter(isOwn);
  const projects = field(answer, "projects");
  if (name === "listOrganizationProjects" && Array.isArray(projects)) {
    const ours = projects.filter(isOwn);
    const pagination = field(answer, "pagination");
    const counted = isObject(pagination) && { pagination: { ...pagination, count: ours.length } };
    return { ...Object(answer), projects: ours, ...counted };
  }
  return answer;
}
