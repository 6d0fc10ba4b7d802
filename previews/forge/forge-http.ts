import { EnvHttpProxyAgent, fetch, interceptors, type Response } from "undici";
import type { z } from "zod";
import { ForgeError } from "./forge";

const LONGEST_ANSWER_MS = 60_000;
const SHOWN_OF_AN_ANSWER = 200;

export interface ForgeHttpOptions {
  /** Address of the API, without a slash at its end. */
  readonly apiUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls of a forge's API, which answers with JSON and pages by the header `Link`. */
export class ForgeHttp {
  /** Reads are tried again, as they change nothing. */
  private readonly dispatcher = new EnvHttpProxyAgent().compose(
    interceptors.retry({ maxRetries: 3, methods: ["GET"] }),
  );

  constructor(private readonly options: ForgeHttpOptions) {}

  async read<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return parsed(await this.send("GET", this.urlOf(path)), schema);
  }

  async readAll<T>(path: string, item: z.ZodType<T[]>): Promise<T[]> {
    const all: T[] = [];
    const seen = new Set<string>();
    for (let url: string | undefined = this.urlOf(path); url !== undefined;) {
      if (seen.has(url)) throw new ForgeError(`The forge names ${url} as the page after itself.`);
      seen.add(url);
      const response = await this.send("GET", url);
      all.push(...(await parsed(response, item)));
      url = this.nextPage(response);
    }
    return all;
  }

  async write(method: "POST" | "PUT" | "PATCH", path: string, body: unknown): Promise<void> {
    const response = await this.send(method, this.urlOf(path), JSON.stringify(body));
    await response.body?.cancel();
  }

  private urlOf(path: string): string {
    return `${this.options.apiUrl}${path}`;
  }

  private async send(method: string, url: string, body?: string): Promise<Response> {
    const { headers } = this.options;
    const response = await fetch(url, {
      ...{ method, redirect: "error", dispatcher: this.dispatcher },
      headers: { accept: "application/json", "user-agent": "management-previews", ...headers },
      signal: AbortSignal.timeout(LONGEST_ANSWER_MS),
      ...(body === undefined ? {} : { body }),
    }).catch((error: unknown) => {
      throw new ForgeError(`${method} ${url} had no answer: ${formatReason(error)}`);
    });
    if (response.ok) return response;
    const said = (await beginningOf(response)).slice(0, SHOWN_OF_AN_ANSWER);
    throw new ForgeError(`${method} ${url} was answered with ${response.status}: ${said}`);
  }

  /** The page that the forge names as the next one; on its own origin, as the token goes with the call. */
  private nextPage(response: Response): string | undefined {
    const link = response.headers.get("link") ?? "";
    const next = /<([^>]*)>[^<]*;\s*rel="next"/.exec(link)?.[1];
    if (next === undefined) return undefined;
    if (new URL(next).origin !== new URL(this.options.apiUrl).origin) {
      throw new ForgeError(`The forge names a page elsewhere as the next one: ${next}`);
    }
    return next;
  }
}

async function parsed<T>(response: Response, schema: z.ZodType<T>): Promise<T> {
  const { success, data } = schema.safeParse(await response.json().catch(() => undefined));
  if (!success) throw new ForgeError(`${response.url} returned an answer of an unexpected form.`);
  return data;
}

/** No more is read: an error of any length would fill the memory. */
async function beginningOf(response: Response): Promise<string> {
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
