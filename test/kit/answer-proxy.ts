import { once } from "node:events";
import { request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { literalNames } from "../../spec/names/names";
import type { OperationName } from "../../spec/table";
import { operationFinder } from "../../tools/acceptance/find-operation";
import { startLoopbackServer } from "../../tools/loopback-server";
import { waitUntil } from "./wait-until";

export interface ProxiedRequest {
  /** From 1, since the start. */
  readonly number: number;
  /** Undefined for what the API does not have. */
  readonly operation: OperationName | undefined;
  readonly params: Readonly<Record<string, string>>;
  readonly method: string;
  readonly path: string;
  readonly body: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What becomes of requests on their way, and of the answers to them. */
export interface Disturbance {
  /** All requests where it is absent. */
  readonly operation?: OperationName | undefined;
  readonly appliesTo?: (request: ProxiedRequest) => boolean;
  /** How many of these requests pass undisturbed first, and how many are disturbed then; all where it is absent. */
  readonly skip?: number;
  readonly times?: number;
  /** The connection ends before the service has the request, or before the caller has the answer. */
  readonly drop?: "before" | "after";
  /** The service does not have the request; the caller gets this. */
  readonly instead?: Answer;
  /** The service has the request so many times more. */
  readonly repeat?: number;
  /** The answer to a repeated request that the caller gets; the first where it is absent. */
  readonly passesOn?: "first" | "last";
  /** The caller gets the answer when the disturbance is released. */
  readonly isHeld?: boolean;
  /** Replaces what it returns of the answer. */
  readonly rewrite?: (answer: Answer, request: ProxiedRequest) => Partial<Answer>;
}

export interface Disturbed {
  /** The requests that were disturbed. */
  readonly requests: readonly ProxiedRequest[];
  /** Resolves when an answer is held. */
  held(): Promise<void>;
  /** Passes on what is held, and lets later answers pass at once. */
  release(): void;
  /** Later requests are not disturbed. */
  end(): void;
}

/** Stands between a provider and the emulator, and changes, holds, drops or repeats what passes. */
export interface AnswerProxy {
  readonly url: string;
  readonly requests: readonly ProxiedRequest[];
  disturb(disturbance: Disturbance): Disturbed;
  close(): Promise<void>;
}

/** The answer with another value in its JSON. */
export function withJson({ body }: Answer, change: (value: unknown) => unknown): Pick<Answer, "body"> {
  return { body: Buffer.from(JSON.stringify(change(JSON.parse(body.toString("utf8"))))) };
}

export async function startAnswerProxy(target: string): Promise<AnswerProxy> {
  const find = operationFinder(literalNames);
  const requests: ProxiedRequest[] = [];
  const rules: Rule[] = [];
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = "", url: path = "" } = incoming;
    const body = await buffer(incoming);
    const found = find(method, new URL(path, target).pathname);
    const request: ProxiedRequest = {
      ...{ number: requests.length + 1, method, path, body },
      ...{ operation: found?.name, params: found?.params ?? {} },
    };
    requests.push(request);
    const matching = rules.filter((rule) => rule.meets(request));
    if (matching.some(({ drop }) => drop === "before")) return void outgoing.destroy();
    const forward = (): Promise<Answer> => forwardTo(target, incoming, body);
    let answer = matching.find(({ instead }) => instead !== undefined)?.instead ?? (await forward());
    for (const { repeat = 0, passesOn } of matching)
      for (let count = 0; count < repeat; count += 1) {
        const repeated = await forward();
        if (passesOn === "last") answer = repeated;
      }
    for (const { rewrite } of matching) answer = { ...answer, ...rewrite?.(answer, request) };
    for (const rule of matching) await rule.hold();
    if (matching.some(({ drop }) => drop === "after")) return void outgoing.destroy();
    const headers = { ...answer.headers, "content-length": String(answer.body.byteLength) };
    outgoing.writeHead(answer.status, answer.body.byteLength === 0 ? answer.headers : headers);
    outgoing.end(answer.body);
  };
  const { url, close } = await startLoopbackServer((incoming, outgoing) => {
    // Either side may be closed while something is on its way.
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  return {
    url,
    requests,
    disturb(disturbance) {
      const rule = new Rule(disturbance);
      rules.push(rule);
      return rule;
    },
    async close() {
      for (const rule of rules) rule.release();
      await close();
    },
  };
}

class Rule implements Disturbed {
  readonly requests: ProxiedRequest[] = [];
  private seen = 0;
  private readonly waiting: (() => void)[] = [];
  private isReleased = false;
  private hasEnded = false;

  constructor(private readonly disturbance: Disturbance) {}

  get drop(): Disturbance["drop"] {
    return this.disturbance.drop;
  }

  get instead(): Disturbance["instead"] {
    return this.disturbance.instead;
  }

  get repeat(): Disturbance["repeat"] {
    return this.disturbance.repeat;
  }

  get passesOn(): Disturbance["passesOn"] {
    return this.disturbance.passesOn;
  }

  get rewrite(): Disturbance["rewrite"] {
    return this.disturbance.rewrite;
  }

  meets(request: ProxiedRequest): boolean {
    const { operation, appliesTo, skip = 0, times = Infinity } = this.disturbance;
    if (this.hasEnded) return false;
    if (operation !== undefined && operation !== request.operation) return false;
    if (appliesTo?.(request) === false) return false;
    this.seen += 1;
    if (this.seen <= skip || this.seen > skip + times) return false;
    this.requests.push(request);
    return true;
  }

  async hold(): Promise<void> {
    if (this.disturbance.isHeld !== true || this.isReleased) return;
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  held(): Promise<void> {
    return waitUntil("an answer is held", () => this.waiting.length > 0);
  }

  release(): void {
    this.isReleased = true;
    for (const pass of this.waiting.splice(0)) pass();
  }

  end(): void {
    this.hasEnded = true;
  }
}

/** Headers of one connection, and those from which a body would come in another encoding. */
const OF_ONE_CONNECTION =
  /^(?:accept-encoding|connection|content-length|expect|keep-alive|transfer-encoding)$/;

async function forwardTo(target: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const { method = "", url = "" } = incoming;
  const outgoing = send(`${target}${url}`, {
    method,
    headers: { ...passedOn(incoming.headers), host: new URL(target).host, "content-length": body.byteLength },
    // A connection that is kept would outlive the test.
    agent: false,
  });
  outgoing.end(body);
  const [answered] = (await once(outgoing, "response")) as [IncomingMessage];
  return {
    status: answered.statusCode ?? 0,
    headers: passedOn(answered.headers),
    body: await buffer(answered),
  };
}

function passedOn(headers: IncomingMessage["headers"]): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === "string" && !OF_ONE_CONNECTION.test(name) ? [[name, value]] : [],
    ),
  );
}
