import { CancelledError, isAmbiguous, RateLimitedError } from "../../../provider/client/errors/errors";
import { counted, perPath, WindowCounter } from "./counting-service";
import { closeAll, failureOf, json, PROJECT, REF, setUp, type Setup } from "./setup";
import { QuotaError, ManagementClient } from "../../../provider/client";
import { LONGEST_TIMER_MS, systemClock } from "../../../provider/client/clock";

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

describe("a quota, which is not the rate limit", () => {
  const LEFT = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "97", "x-ratelimit-reset": "41" };

  it.each([
    "Disk attributes can be changed once per four hours",
    "Cannot update addon: still processing addon changes",
  ])("tells at once what the service says: %s", async (message) => {
    const { client, clock, service } = await setUp(() => ({ ...json({ message }, 429), headers: LEFT }));
    const started = clock.now();
    const failure = await failureOf(
      client.updateDisk(
        { ref: REF, body: { attributes: { type: "gp3", size_gb: 20, iops: 3000 } } },
        { deadlineMs: clock.now() + 3_600_000 },
      ),
    );
    expect(failure).toBeInstanceOf(QuotaError);
    expect(failure).toMatchObject({ status: 429, serviceMessage: message });
    expect(failure.message).toContain(
      "Calls are left, so this is not the rate limit: try again later; the service's message says when.",
    );
    expect(isAmbiguous(failure)).toBe(false);
    expect(service.requests).toHaveLength(1);
    expect(clock.now()).toBe(started);
  });

  it("does not let other calls of the project wait", async () => {
    const { client, clock } = await setUp(({ method }) =>
      method === "GET"
        ? { ...json(PROJECT), headers: LEFT }
        : { ...json({ message: "once per four hours" }, 429), headers: { ...LEFT, "retry-after": "60" } },
    );
    const started = clock.now();
    await failureOf(client.updateProject({ ref: REF, body: { name: "x" } }));
    await client.getProject({ ref: REF });
    expect(clock.now()).toBe(started);
  });

  it("still waits for a limit other than the one that the headers describe", async () => {
    const throttled = { ...json({ message: "ThrottlerException: Too Many Requests" }, 429), headers: LEFT };
    const { client, service } = await setUp((_, index) => (index === 0 ? throttled : json(PROJECT)));
    await client.getProject({ ref: REF });
    expect(service.requests).toHaveLength(2);
  });

  it("still is a rate limit where no calls are left", async () => {
    const headers = { ...LEFT, "x-ratelimit-remaining": "0" };
    const { client, clock } = await setUp(() => ({ ...json({ message: "slow down" }, 429), headers }));
    const failure = await failureOf(client.getProject({ ref: REF }, { deadlineMs: clock.now() + 30_000 }));
    expect(failure).toBeInstanceOf(RateLimitedError);
    expect(failure).not.toBeInstanceOf(QuotaError);
  });
});

describe("an absurd reset", () => {
  const YEARS = ["999999999", "1000000000", "2147484", "31536000"];
  const MINUTES = 60_000;

  it.each(YEARS)("goes on within minutes when a success names a reset in %s s", async (reset) => {
    const headers = { "x-ratelimit-limit": "2", "x-ratelimit-remaining": "0", "x-ratelimit-reset": reset };
    const { client, clock, service } = await setUp(() => ({ ...json(PROJECT), headers }));
    const started = clock.now();
    for (let call = 0; call < 200; call += 1) await client.getProject({ ref: REF });
    expect(service.requests).toHaveLength(200);
    expect(clock.now() - started).toBeLessThan(5 * MINUTES);
  });

  it.each(YEARS.flatMap((told) => [{ "x-ratelimit-reset": told }, { "retry-after": told }]))(
    "tells a refusal with %j at once, and lets nobody else wait",
    async (named) => {
      const headers = {
        "x-ratelimit-limit": "120",
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "60",
        ...named,
      };
      const { client, clock, service } = await setUp((_, index) =>
        index < 2 ? { ...json({ message: "slow down" }, 429), headers } : json(PROJECT),
      );
      const started = clock.now();
      expect(await failureOf(client.getProject({ ref: REF }))).toBeInstanceOf(RateLimitedError);
      expect(await failureOf(client.getProject({ ref: REF }))).toBeInstanceOf(RateLimitedError);
      await client.getProject({ ref: REF });
      expect(service.requests).toHaveLength(3);
      expect(clock.now() - started).toBeLessThan(5 * MINUTES);
    },
  );

  it("sleeps longer than a timer can", async () => {
    jest.useFakeTimers();
    let isAwake = false;
    const sleeping = systemClock.sleep(LONGEST_TIMER_MS * 2 + 5_000).then(() => (isAwake = true));
    await jest.advanceTimersByTimeAsync(LONGEST_TIMER_MS * 2);
    expect(isAwake).toBe(false);
    await jest.advanceTimersByTimeAsync(5_000);
    await sleeping;
    jest.useRealTimers();
  });
});

describe("processes on one token", () => {
  const PROCESSES = 5;
  const CALLS_EACH = 8;
  const LIMIT = 20;

  it("wakes processes that share a window one after the other, and none is refused for the others' bursts", async () => {
    const arrivals = new Map<string, number[]>();
    const { service, clock } = await setUp((request, index) => {
      const agent = request.headers["user-agent"] ?? "";
      arrivals.set(agent, [...(arrivals.get(agent) ?? []), clock.now()]);
      return counted(() => counter, PROJECT)(request, index);
    });
    const counter = new WindowCounter(() => clock.now(), LIMIT);
    const clients = Array.from(
      { length: PROCESSES },
      (_, index) =>
        new ManagementClient({
          baseUrl: service.url,
          accessToken: "token-5f1c0a7e9b",
          userAgent: `process ${index}`,
          clock: {
            now: () => clock.now(),
            sleep: (ms, signal) => clock.sleep(ms, signal),
            random: () => index / PROCESSES,
          },
        }),
    );
    const started = clock.now();
    await Promise.all(
      clients.flatMap((client) => Array.from({ length: CALLS_EACH }, () => client.getProject({ ref: REF }))),
    );
    await Promise.all(clients.map((client) => client.close()));
    const wakings = [...arrivals.values()].map((times) => times.find((time) => time >= started + 60_000));
    const awoken = wakings.filter((time) => time !== undefined);
    expect(awoken.length).toBeGreaterThan(1);
    expect(new Set(awoken).size).toBe(awoken.length);
    expect(counter.accepted).toEqual([LIMIT, LIMIT]);
  });

  it("wakes a process that is alone when the window ends", async () => {
    const { client, clock } = await setUp((request, index) =>
      counted(() => counter, PROJECT)(request, index),
    );
    const counter = new WindowCounter(() => clock.now(), LIMIT);
    const started = clock.now();
    await Promise.all(Array.from({ length: 2 * LIMIT }, () => client.getProject({ ref: REF })));
    expect(clock.now() - started).toBe(60_000);
  });
});
