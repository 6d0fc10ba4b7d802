import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { startLoopbackServer } from "../../../tools/loopback-server";

export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** Writes the body instead, and ends it or not. */
  readonly write?: (outgoing: ServerResponse) => void;
}

/** Closes the connection instead of answering. */
export const DROP = Symbol("drop");

export type Responder = (
  request: Received,
  index: number,
) => Reply | typeof DROP | Promise<Reply | typeof DROP>;

/** A small HTTP server on port 0 that answers by a function and remembers what it got. */
export interface HttpService {
  readonly url: string;
  readonly requests: Received[];
  onConnection(listener: () => void): void;
  close(): Promise<void>;
}

export async function startHttpService(respond: Responder): Promise<HttpService> {
  const requests: Received[] = [];
  const { url, server, close } = await startLoopbackServer((incoming, outgoing) => {
    void read(incoming).then(async (request) => {
      requests.push(request);
      const reply = await respond(request, requests.length - 1);
      if (reply === DROP) return incoming.socket.destroy();
      const body = reply.body ?? "";
      const text = typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body);
      outgoing.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
      return reply.write === undefined ? outgoing.end(text) : reply.write(outgoing);
    });
  });
  return {
    url,
    requests,
    onConnection: (listener) => void server.on("connection", listener),
    close,
  };
}

async function read(incoming: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return {
    method: incoming.method ?? "",
    url: new URL(incoming.url ?? "/", "http://service"),
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    body: Buffer.concat(chunks),
  };
}
