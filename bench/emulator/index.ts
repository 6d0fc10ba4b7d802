import { Pool, request } from "undici";
import { z } from "zod";
import { median } from "../cold-start";
import { serveBare, serveEmulator } from "./served";

/** What simple reads on loopback must reach. */
const LEAST_REQUESTS_PER_SECOND = 2_000;
/** The longest start, without SQL. */
const MOST_START_MS = 300;
const STARTS = 9;
const ROUNDS = 5;
const REQUESTS_A_ROUND = 6_000;
/** At most 120 requests a minute each, over all rounds. */
const USERS = (REQUESTS_A_ROUND * (ROUNDS + 1)) / 100;
const TOKEN = "bench";
const CONNECTIONS = 32;

async function main(): Promise<number> {
  const isQuickToStart = await reportStarts();
  const isFast = await reportReads();
  return isQuickToStart && isFast ? 0 : 1;
}

async function reportStarts(): Promise<boolean> {
  const pairs: { emulatorMs: number; bareMs: number }[] = [];
  for (let pair = 0; pair < STARTS; pair += 1) {
    const bare = await serveBare("{}");
    await bare.stop();
    const emulator = await serveEmulator(TOKEN);
    await emulator.stop();
    pairs.push({ emulatorMs: emulator.startMs, bareMs: bare.startMs });
  }
  const emulatorMs = median(pairs.map((pair) => pair.emulatorMs));
  const isWithin = emulatorMs < MOST_START_MS;
  console.log(
    `start: ${emulatorMs.toFixed(0)} ms; of a bare HTTP server: ${median(pairs.map(({ bareMs }) => bareMs)).toFixed(0)} ms; ` +
      `median ratio of ${STARTS} pairs ${median(pairs.map((pair) => pair.emulatorMs / pair.bareMs)).toFixed(2)}; ` +
      `${isWithin ? "below" : "NOT below"} ${MOST_START_MS} ms`,
  );
  return isWithin;
}

async function reportReads(): Promise<boolean> {
  const emulator = await serveEmulator(TOKEN);
  const ref = await newProject(emulator.url);
  const tokens = await Promise.all(Array.from({ length: USERS }, (_, user) => newToken(emulator.url, user)));
  const paths = [
    `/v1/projects/${ref}`,
    `/v1/projects/${ref}/api-keys`,
    `/v1/projects/${ref}/secrets`,
    `/v1/projects/${ref}/health?services=db`,
    "/v1/organizations",
  ];
  const bare = await serveBare(await bodyOf(`${emulator.url}/v1/projects/${ref}`));
  const rounds: { reads: number; bare: number }[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      const reads = await requestsPerSecond({ url: emulator.url, paths, tokens, requests: REQUESTS_A_ROUND });
      const load = { url: bare.url, paths, tokens, requests: REQUESTS_A_ROUND };
      const result = { reads, bare: await requestsPerSecond(load) };
      // The first round warms both up.
      if (round > 0) rounds.push(result);
    }
  } finally {
    await emulator.stop();
    await bare.stop();
  }
  const reads = median(rounds.map((round) => round.reads));
  const isWithin = reads >= LEAST_REQUESTS_PER_SECOND;
  console.log(
    `simple reads: ${reads.toFixed(0)} a second; a bare HTTP server: ${median(rounds.map((round) => round.bare)).toFixed(0)}; ` +
      `median ratio of ${ROUNDS} rounds ${median(rounds.map((round) => round.reads / round.bare)).toFixed(2)}; ` +
      `${isWithin ? "at least" : "NOT at least"} ${LEAST_REQUESTS_PER_SECOND}`,
  );
  return isWithin;
}

/** Who sends: the limit of 120 requests a minute holds for each user and scope, so many users send in turn. */
interface Load {
  readonly url: string;
  readonly paths: readonly string[];
  readonly tokens: readonly string[];
  readonly requests: number;
}

/** Requests answered in a second; every answer must be 200 and is read to its end. */
async function requestsPerSecond({ url, paths, tokens, requests }: Load): Promise<number> {
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

async function newProject(url: string): Promise<string> {
  const { body } = await request(`${url}/v1/projects`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "bench", organization_slug: "acme", db_pass: "bench-password" }),
  });
  return z.object({ ref: z.string() }).parse(await body.json()).ref;
}

async function newToken(url: string, user: number): Promise<string> {
  const { body } = await request(`${url}/_control/tokens`, {
    method: "POST",
    body: JSON.stringify({ user: `user-${user}` }),
  });
  return z.object({ token: z.string() }).parse(await body.json()).token;
}

async function bodyOf(url: string): Promise<string> {
  const { body } = await request(url, { headers: { authorization: `Bearer ${TOKEN}` } });
  return body.text();
}

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
