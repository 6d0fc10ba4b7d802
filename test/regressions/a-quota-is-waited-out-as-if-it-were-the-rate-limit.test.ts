import { isAmbiguous, QuotaError, RateLimitedError } from "../../provider/client";
import { closeAll, failureOf, json, PROJECT, REF, setUp } from "../provider/client/setup";

const LEFT = { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "97", "x-ratelimit-reset": "41" };

afterEach(closeAll);

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
