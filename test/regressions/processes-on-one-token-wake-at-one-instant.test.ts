import { ManagementClient } from "../../provider/client";
import { counted, WindowCounter } from "../provider/client/counting-service";
import { closeAll, PROJECT, REF, setUp } from "../provider/client/setup";

const PROCESSES = 5;
const CALLS_EACH = 8;
const LIMIT = 20;

afterEach(closeAll);

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
  const { client, clock } = await setUp((request, index) => counted(() => counter, PROJECT)(request, index));
  const counter = new WindowCounter(() => clock.now(), LIMIT);
  const started = clock.now();
  await Promise.all(Array.from({ length: 2 * LIMIT }, () => client.getProject({ ref: REF })));
  expect(clock.now() - started).toBe(60_000);
});
