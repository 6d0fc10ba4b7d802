import { Pool } from "undici";

const CONNECTIONS = 32;

/** Who sends: the limit of 120 requests a minute holds for each user and scope, so many users send in turn. */
export interface Load {
  readonly url: string;
  readonly paths: readonly string[];
  readonly tokens: readonly string[];
  readonly requests: number;
}

/** Requests answered in a second; every answer must be 200 and is read to its end. */
export async function requestsPerSecond({ url, paths, tokens, requests }: Load): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS, pipelining: 1 });
  let sent = 0;
  const began = performance.now();
  const sendSome = async (): Promise<void> => {
    while (sent < requests) {
      const number = sent;
      sent += 1;
      const path = paths[number % paths.length] ?? "/";
      const authorization = `Bearer ${tokens[number % tokens.length] ?? ""}`;
      const answer = await pool.request({ method: "GET", path, headers: { authorization } });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`GET ${path} answered ${answer.statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendSome));
  const seconds = (performance.now() - began) / 1_000;
  await pool.destroy();
  return requests / seconds;
}
