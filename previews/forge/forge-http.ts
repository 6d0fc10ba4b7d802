import { setTimeout as sleep } from "node:timers/promises";
import type { EnvHttpProxyAgent, Response } from "undici";
import type { z } from "zod";
import { parseJson } from "../../provider/client/parse-json";
import { ForgeError, ForgeUnavailableError } from "./forge";
import { readRequestedDelayMs } from "./rate-limit";

const LONGEST_ANSWER_MS = 60_000;
/** What one command waits for its forge in all, before it gives up. */
const LONGEST_WAIT_MS = 180_000;
/** Before each further try after an answer that asks for no delay of its own. */
const BACKOFF_MS = [500, 1_000, 2_000];
const SHOWN_OF_AN_ANSWER = 200;
/** A page of a hundred comments, each as long as a forge takes them, is half of it. */
const LARGEST_ANSWER_BYTES = 16 * 1024 * 1024;
/** Twenty thousand objects. */
const MOST_PAGES = 200;

export interface ForgeHttpOptions {
  /** Address of the API, without a slash at its end. */
  readonly apiUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The clock's when absent. */
  readonly pause?: ((ms: number) => Promise<void>) | undefined;
}

type ForgeMethod = "GET" | "POST" | "PUT" | "PATCH";

/** Calls of a forge's API, which answers with JSON and pages by the header `Link`. */
export class ForgeHttp {
  private dispatcher: EnvHttpProxyAgent | undefined;
  private waitedMs = 0;

  constructor(private readonly options: ForgeHttpOptions) {}

  async read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return parseResponse(await this.send("GET", this.urlOf(path)), schema);
  }

  async readAll<T>(path: string, item: z.ZodType<T[]>): Promise<T[]> {
    const all: T[] = [];
    const seen = new Set<string>();
    for (let url: string | undefined = this.urlOf(path); url !== undefined;) {
      if (seen.has(url)) throw new ForgeError(`The forge names ${url} as the page after itself.`);
      seen.add(url);
      if (seen.size > MOST_PAGES)
        throw new ForgeError(`The forge names more than ${MOST_PAGES} pages of ${path}.`);
      const response = await this.send("GET", url);
      all.push(...(await parseResponse(response, item)));
      url = this.findNextPage(url, response);
    }
    return all;
  }

  async write(method: Exclude<ForgeMethod, "GET">, path: string, body: unknown): Promise<void> {
    const response = await this.send(method, this.urlOf(path), JSON.stringify(body));
    await response.body?.cancel();
  }

  private urlOf(path: string): string {
    return `${this.options.apiUrl}${path}`;
  }

  private async send(method: ForgeMethod, url: string, body?: string): Promise<Response> {
    for (let tries = 0; ; tries += 1) {
      let failure: ForgeError;
      let delayMs = isRepeatable(method) ? BACKOFF_MS[tries] : undefined;
      try {
        const response = await this.ask(method, url, body);
        if (response.ok) return response;
        const said = (await readBeginning(response)).slice(0, SHOWN_OF_AN_ANSWER);
        const requestedMs = readRequestedDelayMs(response, said, Date.now());
        const what = `${method} ${url} was answered with ${response.status}`;
        if (requestedMs !== undefined) {
          // The forge refused the call before it did anything.
          delayMs = requestedMs;
          const seconds = Math.ceil(requestedMs / 1000);
          failure = new ForgeUnavailableError(
            `${what}: the forge limits its calls and asks to wait ${seconds} s. ${said}`,
          );
        } else if (response.status >= 500) {
          failure = new ForgeUnavailableError(`${what}: ${said}`);
        } else {
          throw new ForgeError(`${what}: ${said || describeRedirect(response)}`);
        }
      } catch (error) {
        if (!(error instanceof TypeError) && !isTimeout(error)) throw error;
        failure = new ForgeUnavailableError(`${method} ${url} had no answer: ${formatReason(error)}`);
      }
      if (delayMs === undefined || this.waitedMs + delayMs > LONGEST_WAIT_MS) throw failure;
      this.waitedMs += delayMs;
      await (this.options.pause ?? sleep)(delayMs);
    }
  }

  private async ask(method: ForgeMethod, url: string, body: string | undefined): Promise<Response> {
    const { headers } = this.options;
    // oxlint-disable-next-line typescript/no-require-imports, typescript/no-unsafe-assignment -- most commands ask no forge
    const { EnvHttpProxyAgent, fetch }: typeof import("undici") = require("undici");
    this.dispatcher ??= new EnvHttpProxyAgent();
    return fetch(url, {
      // The token goes nowhere but to the API.
      ...{ method, redirect: "manual", dispatcher: this.dispatcher },
      headers: { accept: "application/json", "user-agent": "management-previews", ...headers },
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
      ...(body === undefined ? {} : { body }),
    });
  }

  /**
   * The page that the forge names as the next one, on the API's own origin, as the token goes with the call. A forge behind a
   * proxy may name itself by an inner address: its query says which page it is.
   */
  private findNextPage(current: string, response: Response): string | undefined {
    const link = response.headers.get("link") ?? "";
    const next = /<([^>]*)>[^<]*;\s*rel="next"/.exec(link)?.[1];
    if (next === undefined) return undefined;
    if (!URL.canParse(next, current))
      throw new ForgeError(`The forge names a page that is no address as the next one: ${next}`);
    const named = new URL(next, current);
    if (named.origin === new URL(this.options.apiUrl).origin) return named.href;
    if (named.search === "") {
      throw new ForgeError(`The forge names a page elsewhere as the next one: ${next}`);
    }
    const own = new URL(current);
    own.search = named.search;
    return own.href;
  }
}

/** A text as one part of a path: neither another path nor the one above. */
export function encodeSegment(text: string): string {
  if (["", ".", ".."].includes(text) || !text.isWellFormed())
    throw new ForgeError(`${JSON.stringify(text)} names no commit, branch or project.`);
  return encodeURIComponent(text);
}

/** A second POST might write a second comment. */
function isRepeatable(method: ForgeMethod): boolean {
  return method !== "POST";
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

function describeRedirect({ headers }: Response): string {
  const location = headers.get("location");
  return location === null ? "" : `it redirects to ${location}. Give the API's own address.`;
}

async function parseResponse<T>(response: Response, schema: z.ZodType<T>): Promise<T> {
  const { success, data } = schema.safeParse(parseJson(await readResponseText(response)));
  if (!success) {
    const type = response.headers.get("content-type") ?? "no type";
    throw new ForgeError(`${response.url} returned an answer of an unexpected form (${type}).`);
  }
  return data;
}

/** The whole body; an answer without an end would fill the memory. */
async function readResponseText(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    // A body of `fetch` gives nothing else.
    const read = piece as Uint8Array;
    pieces.push(read);
    bytes += read.byteLength;
    if (bytes > LARGEST_ANSWER_BYTES) {
      throw new ForgeError(`${response.url} returned more than ${LARGEST_ANSWER_BYTES} bytes.`);
    }
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** No more is read: an error of any length would fill the memory. */
async function readBeginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const first: unknown = (await reader?.read())?.value;
  await reader?.cancel();
  return first instanceof Uint8Array ? new TextDecoder().decode(first) : "";
}

/** What `fetch` says of a failure is in its cause. */
function formatReason(error: unknown): string {
  if (!hasMessage(error)) return String(error);
  return hasMessage(error.cause) ? error.cause.message : error.message;
}

function hasMessage(error: unknown): error is { readonly message: string; readonly cause?: unknown } {
  return typeof error === "object" && error !== null && "message" in error;
}
