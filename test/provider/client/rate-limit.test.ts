import { CancelledError, isAmbiguous, RateLimitedError } from "../../../provider/client/errors/errors";
import { counted, perPath, WindowCounter } from "./counting-service";
import { closeAll, failureOf, json, PROJECT, REF, setUp, type Setup } from "./setup";

const OTHER_REF = "zyxwvutsrqponmlkjihg";

afterEach(closeAll);

async function setUpCounted(limit?: number): Promise<Setup & { counter: WindowCounter }> {
  const setup = await setUp((request, index) => counted(() => counter, PROJECT)(request, index));
  const counter: WindowCounter = new WindowCounter(() => setup.clock.now(), limit);
  return { ...setup, counter };
}

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

it("uses 120, 120 and 60 calls of three windows for 300 calls at once, and sees no 429", async () => {
  const { client, counter } = await setUpCounted();
  await Promise.all(times(300, () => client.getProject({ ref: REF })));
  expect(counter.accepted).toEqual([120, 120, 60]);
  expect(counter.refused).toBe(0);
});

it("leaves alone what others with the same token have used of the window", async () => {
  const { client, counter, clock } = await setUpCounted();
  clock.jitter = 0;
  counter.take(100);
  clock.advance(20_000);
  const started = clock.now();
  await Promise.all(times(30, () => client.getProject({ ref: REF })));
  expect(counter.accepted).toEqual([120, 10]);
  expect(counter.refused).toBe(0);
  expect(clock.now() - started).toBe(40_000);
});

it("counts each project and the account apart", async () => {
  const { client, service, clock } = await setUp((request, index) => {
    const body = request.url.pathname === "/v1/projects" ? [] : PROJECT;
    return counted((path) => counters.of(path), body)(request, index);
  });
  const counters: ReturnType<typeof perPath> = perPath(clock);
  const started = clock.now();
  await Promise.all([
    ...times(120, () => client.getProject({ ref: REF })),
    ...times(120, () => client.getProject({ ref: OTHER_REF })),
    ...times(120, () => client.listProjects({})),
  ]);
  expect(service.requests).toHaveLength(360);
  expect(clock.now()).toBe(started);
});

it("keeps to a stricter limit without holding up other calls of the project", async () => {
  const { client, service, clock } = await setUp(({ url }) => {
    if (!url.pathname.endsWith("/reverify")) return json(PROJECT);
    const { isAccepted, headers } = strict.take();
    return { status: isAccepted ? 201 : 429, headers, body: { status: "2_initiated" } };
  });
  const strict: WindowCounter = new WindowCounter(() => clock.now(), 10);
  const started = clock.now();
  const verifications = Promise.all(times(12, () => client.reverifyCustomHostname({ ref: REF })));
  await client.getProject({ ref: REF });
  expect(clock.now()).toBe(started);
  await verifications;
  expect(strict.accepted).toEqual([10, 2]);
  expect(strict.refused).toBe(0);
  expect(service.requests).toHaveLength(13);
});

it("serves waiting calls in the order in which they came", async () => {
  const { client, counter, service } = await setUpCounted(2);
  const slugs = ["aa", "bb", "cc", "dd", "ee"];
  await Promise.all(
    slugs.map((slug) => client.getFunction({ ref: REF, function_slug: slug }).catch(() => undefined)),
  );
  expect(service.requests.map(({ url }) => url.pathname.split("/").at(-1))).toEqual(slugs);
  expect(counter.refused).toBe(0);
});

it("says how long it waits for which limit", async () => {
  const { client } = await setUpCounted(1);
  const messages: string[] = [];
  await client.getProject({ ref: REF });
  await client.getProject({ ref: REF }, { progress: (message) => messages.push(message) });
  expect(messages).toEqual([`waiting 60 s for the rate limit of project ${REF}`]);
});

it("repeats a refused write of any method after the window's end", async () => {
  const refusal = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "17" };
  const { client, service, clock } = await setUp((_, index) =>
    index < 3 ? { status: 429, headers: refusal, body: { message: "slow down" } } : json(PROJECT, 201),
  );
  clock.jitter = 0;
  const started = clock.now();
  await client.createProject({ body: { name: "shop", db_pass: "horse-battery", organization_slug: "acme" } });
  expect(service.requests).toHaveLength(4);
  expect(clock.now() - started).toBe(3 * 17_000);
});

it("lets the whole scope wait as long as `retry-after` says", async () => {
  const { client, service, clock } = await setUp((_, index) =>
    index === 0 ? { status: 429, headers: { "retry-after": "40" } } : json(PROJECT),
  );
  clock.jitter = 0;
  const started = clock.now();
  await Promise.all(times(3, () => client.getProject({ ref: REF })));
  expect(service.requests).toHaveLength(4);
  expect(clock.now() - started).toBe(40_000);
});

it("gives up in a storm of 429 after ten attempts, and says that calls are used up", async () => {
  const { client, service } = await setUp(() => ({ status: 429, body: { message: "Too many requests" } }));
  const failure = await failureOf(client.getProject({ ref: REF }));
  expect(failure).toBeInstanceOf(RateLimitedError);
  expect(failure.message).toContain(`The rate limit of project ${REF}`);
  expect(service.requests).toHaveLength(10);
});

it("gives up at once when the window ends after the deadline", async () => {
  const headers = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "50" };
  const { client, clock, service } = await setUp(() => ({ status: 429, headers }));
  const failure = await failureOf(client.getProject({ ref: REF }, { deadlineMs: clock.now() + 30_000 }));
  expect(failure).toBeInstanceOf(RateLimitedError);
  expect(service.requests).toHaveLength(1);
});

it("takes a waiting call out of the queue at its deadline", async () => {
  const { client, clock, counter } = await setUpCounted(1);
  await client.getProject({ ref: REF });
  const failure = await failureOf(client.getProject({ ref: REF }, { deadlineMs: clock.now() + 30_000 }));
  expect(failure).toBeInstanceOf(RateLimitedError);
  expect(isAmbiguous(failure)).toBe(false);
  expect(failure.message).toContain(`waiting for the rate limit of project ${REF}`);
  expect(counter.accepted).toEqual([1]);
});

it("takes a waiting call out of the queue when it is cancelled, and serves the next one", async () => {
  const { client, counter } = await setUpCounted(1);
  await client.getProject({ ref: REF });
  const cancel = new AbortController();
  const cancelled = failureOf(client.getProject({ ref: REF }, { signal: cancel.signal }));
  const next = client.getProject({ ref: REF });
  cancel.abort();
  const failure = await cancelled;
  expect(failure).toBeInstanceOf(CancelledError);
  expect(failure.message).toContain(`waiting for the rate limit of project ${REF}`);
  await next;
  expect(counter.accepted).toEqual([1, 1]);
});
