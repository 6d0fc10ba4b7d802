import { RateLimitedError } from "../../provider/client";
import { LONGEST_TIMER_MS, systemClock } from "../../provider/client/clock";
import { closeAll, failureOf, json, PROJECT, REF, setUp } from "../provider/client/setup";

const YEARS = ["999999999", "1000000000", "2147484", "31536000"];
const MINUTES = 60_000;

afterEach(closeAll);

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
