import { createServer } from "node:net";
import { once } from "node:events";
import { ApiError, isAmbiguous, NetworkError, TimeoutError } from "../../../provider/client/errors/errors";
import { fakeTimers } from "../../kit/fake-timers";
import { DROP } from "./http-service";
import { closeAll, failureOf, json, PROJECT, REF, setUp, type Setup } from "./setup";

const NEW_PROJECT = { body: { name: "shop", db_pass: "horse-battery", organization_slug: "acme" } };

afterEach(async () => {
  await closeAll();
  jest.useRealTimers();
});

/** A service that answers nothing, and what lets time pass once a request has arrived there. */
async function setUpSilence(): Promise<Setup & { readonly passOnceAsked: (ms: number) => Promise<void> }> {
  const timers = fakeTimers();
  const asked = Promise.withResolvers<undefined>();
  const setup = await setUp(
    () => {
      asked.resolve(undefined);
      return new Promise(() => undefined);
    },
    { requestTimeoutMs: 20_000 },
  );
  return {
    ...setup,
    passOnceAsked: async (ms) => {
      await asked.promise;
      timers.passMs(ms);
    },
  };
}

it("repeats a read until the service is well again", async () => {
  const { client, service, clock } = await setUp((_, index) => (index < 3 ? json({}, 503) : json(PROJECT)));
  expect(await client.getProject({ ref: REF })).toMatchObject({ name: "shop" });
  expect(service.requests).toHaveLength(4);
  expect(clock.sleeps).toEqual([250, 500, 1000]);
});

it("tells of each repetition", async () => {
  const { client } = await setUp((_, index) => (index === 0 ? json({}, 503) : json(PROJECT)));
  const messages: string[] = [];
  await client.getProject({ ref: REF }, { progress: (message) => messages.push(message) });
  expect(messages).toEqual(["getProject: the service answered 503, trying again in 1 s"]);
});

it("gives up a read after six attempts and says so", async () => {
  const { client, service } = await setUp(() => json({ message: "boom" }, 500));
  const failure = await failureOf(client.getProject({ ref: REF }));
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure.message).toContain('saying "boom". It was tried 6 times.');
  expect(service.requests).toHaveLength(6);
});

it("repeats a read whose connection is closed", async () => {
  const { client, service } = await setUp((_, index) => (index < 2 ? DROP : json(PROJECT)));
  await client.getProject({ ref: REF });
  expect(service.requests).toHaveLength(3);
});

it("does not repeat a create whose connection is closed after the work, and calls it ambiguous", async () => {
  const { client, service } = await setUp(() => DROP);
  const failure = await failureOf(client.createProject(NEW_PROJECT));
  expect(failure).toBeInstanceOf(NetworkError);
  expect(isAmbiguous(failure)).toBe(true);
  expect(failure.message).toContain("Whether the service executed the request is unknown.");
  expect(service.requests).toHaveLength(1);
});

it("does not repeat a create that is answered with 500, and calls it ambiguous", async () => {
  const { client, service } = await setUp(() => json({}, 500));
  expect(isAmbiguous(await failureOf(client.createProject(NEW_PROJECT)))).toBe(true);
  expect(service.requests).toHaveLength(1);
});

it("calls a create ambiguous whose success answer cannot be used", async () => {
  const { client } = await setUp((_, index) =>
    index === 0 ? json({ name: "shop" }, 201) : json("<html>", 201),
  );
  expect(isAmbiguous(await failureOf(client.createProject(NEW_PROJECT)))).toBe(true);
  expect(isAmbiguous(await failureOf(client.createProject(NEW_PROJECT)))).toBe(true);
});

it("repeats even a create when nothing listens, and calls the failure certain", async () => {
  const port = await closedPort();
  const { client, clock } = await setUp(() => json({}), { baseUrl: `http://127.0.0.1:${port}` });
  const failure = await failureOf(client.createProject(NEW_PROJECT));
  expect(failure).toMatchObject({ requestSent: false, code: "ECONNREFUSED" });
  expect(isAmbiguous(failure)).toBe(false);
  expect(failure.message).toContain(`Check the base URL (http://127.0.0.1:${port})`);
  expect(clock.sleeps).toHaveLength(5);
});

it("ends a request that is not answered in time, and calls it ambiguous", async () => {
  const { client, passOnceAsked } = await setUpSilence();
  const ending = failureOf(client.createProject(NEW_PROJECT));
  await passOnceAsked(21_000);
  const failure = await ending;
  expect(failure).toBeInstanceOf(TimeoutError);
  expect(isAmbiguous(failure)).toBe(true);
});

it("ends a request under way at the call's deadline", async () => {
  const { client, clock, passOnceAsked } = await setUpSilence();
  const ending = failureOf(client.getProject({ ref: REF }, { deadlineMs: clock.now() + 10_000 }));
  await passOnceAsked(10_000);
  const failure = await ending;
  expect(failure).toBeInstanceOf(TimeoutError);
  expect(failure.message).toContain("waiting for the answer");
});

it("does not begin a repetition that would come after the deadline", async () => {
  fakeTimers();
  const { client, clock, service } = await setUp(() => json({ message: "boom" }, 500));
  const deadlineMs = clock.now() + 1_000;
  expect(await failureOf(client.getProject({ ref: REF }, { deadlineMs }))).toBeInstanceOf(ApiError);
  expect(service.requests).toHaveLength(3);
  expect(clock.now()).toBeLessThan(deadlineMs);
});

it("keeps its connections", async () => {
  let connections = 0;
  const { client, service } = await setUp(() => json(PROJECT), { connections: 4 });
  service.onConnection(() => (connections += 1));
  await Promise.all(Array.from({ length: 40 }, () => client.getProject({ ref: REF })));
  expect(connections).toBe(4);
});

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
