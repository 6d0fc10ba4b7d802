import { setImmediate } from "node:timers/promises";
import {
  CancelledError,
  type CallOptions,
  type ManagementClient,
  RateLimitedError,
  TimeoutError,
} from "../../../provider/client";
import { fakeTimers } from "../../kit/fake-timers";
import { EXHAUSTED, type Held, WAITS } from "./held-calls";
import { closeAll, json, PROJECT, REF, setUp } from "./setup";

const DEADLINE_MS = 10_000;

type Act = (client: ManagementClient, options: CallOptions) => Promise<unknown>;

const ACTS: readonly (readonly ["read" | "write", Act])[] = [
  ["read", (client, options) => client.getProject({ ref: REF }, options)],
  ["write", (client, options) => client.updatePostgresConfig({ ref: REF, body: {} }, options)],
];

const CELLS = Object.entries(WAITS).flatMap(([where, wait]) =>
  ACTS.map(([kind, act]) => ({ where, wait, kind, act })),
);

let timers: ReturnType<typeof fakeTimers>;

beforeEach(() => {
  timers = fakeTimers();
});

afterEach(async () => {
  await closeAll();
  jest.useRealTimers();
});

async function turns(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await setImmediate();
}

/** What the service has got of the call when everything that could still leave has left. */
async function requestsInTheEnd({ service, requestsBefore, letGo }: Held): Promise<number> {
  await letGo();
  await turns();
  return (
    service.requests.filter(({ url }) => url.pathname.includes(REF) || url.pathname === "/v1/projects")
      .length - requestsBefore
  );
}

it.each(CELLS)("a $kind that waits $where ends at its deadline", async ({ wait, kind, act }) => {
  const held = await wait.hold();
  const deadlineMs = held.clock.now() + (wait.deadlineMs ?? DEADLINE_MS);
  const ending = act(held.client, { deadlineMs }).catch((error: unknown) => error);
  await Promise.race([held.isThere, ending]);
  await turns();
  timers.passMs(DEADLINE_MS);
  const failure = await ending;
  if (wait.status !== undefined) expect(failure).toMatchObject({ status: wait.status });
  else {
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(failure).toMatchObject({ requestSent: wait.hasLeft === true });
    expect(String(failure)).toContain(`timed out while ${wait.doing}`);
  }
  expect([kind, await requestsInTheEnd(held)]).toEqual([kind, wait.tries ?? 0]);
});

it.each(CELLS)("a $kind that waits $where ends when it is cancelled", async ({ wait, kind, act }) => {
  const held = await wait.hold();
  const cancel = new AbortController();
  const progress = wait.isTold === true ? { progress: () => cancel.abort() } : {};
  const ending = act(held.client, { signal: cancel.signal, ...progress }).catch((error: unknown) => error);
  await Promise.race([held.isThere, ending]);
  await turns();
  cancel.abort();
  const isAwaited = kind === "write" && wait.hasLeft === true;
  if (isAwaited) await held.letGo();
  const ended = await ending;
  if (isAwaited) expect(ended).not.toBeInstanceOf(Error);
  else {
    expect(ended).toBeInstanceOf(CancelledError);
    expect(String(ended)).toContain(`was cancelled while ${wait.doing}`);
  }
  expect(await requestsInTheEnd(held)).toBe(wait.tries ?? 0);
});

it("a write that has waited in vain for its window is not sent in the next one", async () => {
  const { client, clock, service } = await setUp(() => ({ ...json(PROJECT), headers: EXHAUSTED }));
  await client.getProject({ ref: REF });
  const write = client.updatePostgresConfig({ ref: REF, body: {} }, { deadlineMs: clock.now() + 30_000 });
  await expect(write).rejects.toThrow(RateLimitedError);
  await expect(client.getProject({ ref: REF })).resolves.toMatchObject({ ref: REF });
  expect(service.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
});

it("a refusal whose window ends after the deadline is told at once", async () => {
  const { client, clock } = await setUp(() => ({ status: 429, headers: { "retry-after": "60" } }));
  const write = client.updatePostgresConfig({ ref: REF, body: {} }, { deadlineMs: clock.now() + 30_000 });
  await expect(write).rejects.toThrow(RateLimitedError);
});
