import { CancelledError, isAmbiguous } from "../../../provider/client/errors/errors";
import { closeAll, failureOf, json, PROJECT, REF, setUp } from "./setup";

const NEW_PROJECT = { body: { name: "shop", db_pass: "horse-battery", organization_slug: "acme" } };

afterEach(closeAll);

it("sends nothing when it is cancelled before", async () => {
  const { client, service } = await setUp(() => json(PROJECT));
  const failure = await failureOf(client.getProject({ ref: REF }, { signal: AbortSignal.abort() }));
  expect(failure).toBeInstanceOf(CancelledError);
  expect(isAmbiguous(failure)).toBe(false);
  expect(service.requests).toEqual([]);
});

it("ends a read under way", async () => {
  const cancel = new AbortController();
  const { client } = await setUp(() => {
    cancel.abort();
    return new Promise(() => undefined);
  });
  const failure = await failureOf(client.getProject({ ref: REF }, { signal: cancel.signal }));
  expect(failure).toBeInstanceOf(CancelledError);
});

it("lets a write that has left come to its end: its outcome would be unknown", async () => {
  const cancel = new AbortController();
  const { client, service } = await setUp(async () => {
    cancel.abort();
    await new Promise((resolve) => setTimeout(resolve, 20));
    return json(PROJECT, 201);
  });
  const made = await client.createProject(NEW_PROJECT, { signal: cancel.signal });
  expect(made.ref).toBe(REF);
  expect(service.requests).toHaveLength(1);
});

it("waits for a write that has left no longer than a cancelled job may last", async () => {
  const cancel = new AbortController();
  const { client, service } = await setUp(() => {
    cancel.abort(new CancelledError("The run was cancelled.", false, 10));
    return new Promise(() => undefined);
  });
  const signal = AbortSignal.any([cancel.signal, new AbortController().signal]);
  const failure = await failureOf(client.createProject(NEW_PROJECT, { signal }));
  expect(failure).toBeInstanceOf(CancelledError);
  expect(isAmbiguous(failure)).toBe(true);
  expect(service.requests).toHaveLength(1);
});

it("takes the answer of a write that comes within the time of a cancelled job", async () => {
  const cancel = new AbortController();
  const { client } = await setUp(() => {
    cancel.abort(new CancelledError("The run was cancelled.", false, 60_000));
    return json(PROJECT, 201);
  });
  const made = await client.createProject(NEW_PROJECT, { signal: cancel.signal });
  expect(made.ref).toBe(REF);
});

it("does not send a write again that was cancelled while it failed", async () => {
  const cancel = new AbortController();
  const { client, service } = await setUp(() => {
    cancel.abort();
    return json({}, 429);
  });
  const failure = await failureOf(client.createProject(NEW_PROJECT, { signal: cancel.signal }));
  expect(failure).toBeInstanceOf(CancelledError);
  expect(isAmbiguous(failure)).toBe(false);
  expect(service.requests).toHaveLength(1);
});

it("does not take a write for undone that was cancelled after an error of the service", async () => {
  const cancel = new AbortController();
  const { client, service } = await setUp(() => json({}, 500));
  const progress = (): void => cancel.abort();
  const change = client.updatePostgresConfig({ ref: REF, body: {} }, { signal: cancel.signal, progress });
  const failure = await failureOf(change);
  expect(failure).toBeInstanceOf(CancelledError);
  expect(isAmbiguous(failure)).toBe(true);
  expect(service.requests).toHaveLength(1);
});

it("keeps a write back that is cancelled when it is about to leave", async () => {
  const { client, service } = await setUp(() => json(PROJECT, 201));
  const cancel = new AbortController();
  const onWrite = (): undefined => {
    cancel.abort();
  };
  const failure = await failureOf(client.createProject(NEW_PROJECT, { signal: cancel.signal, onWrite }));
  expect(failure).toBeInstanceOf(CancelledError);
  expect(isAmbiguous(failure)).toBe(false);
  expect(service.requests).toEqual([]);
});

it("stops at once between two attempts", async () => {
  const { client, service, clock } = await setUp(() => json({}, 503));
  const cancel = new AbortController();
  const started = clock.now();
  const progress = (): void => cancel.abort();
  const failure = await failureOf(client.getProject({ ref: REF }, { signal: cancel.signal, progress }));
  expect(failure).toBeInstanceOf(CancelledError);
  expect(failure.message).toContain("waiting to try again, after the service answered 503");
  expect(service.requests).toHaveLength(1);
  expect(clock.now()).toBe(started);
});

it("cancels unfinished calls when the client is closed", async () => {
  const { client } = await setUp(() => new Promise(() => undefined));
  const failures = Promise.all([1, 2, 3].map(() => failureOf(client.getProject({ ref: REF }))));
  await client.close();
  for (const failure of await failures) expect(failure).toBeInstanceOf(CancelledError);
  expect(await failureOf(client.getProject({ ref: REF }))).toBeInstanceOf(CancelledError);
});

it("warns of no leak when hundreds of calls share a signal", async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const { client } = await setUp(() => json(PROJECT));
  const { signal } = new AbortController();
  await Promise.all(Array.from({ length: 100 }, () => client.getProject({ ref: REF }, { signal })));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
});
