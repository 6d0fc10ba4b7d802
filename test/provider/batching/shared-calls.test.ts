import {
  ApiError,
  CancelledError,
  RateLimitedError,
  TimeoutError,
} from "../../../provider/client/errors/errors";
import type { BulkItem, StepLimits } from "../../../provider/define/shared-calls";
import { createSharedCalls } from "../../../provider/batching/shared-calls";
import { VirtualClock } from "../../../tools/virtual-clock";
import { waitUntil } from "../../kit/wait-until";

const shared = () => createSharedCalls(new VirtualClock());
const boundless = { deadlineMs: Infinity, signal: new AbortController().signal };
const refused = (): ApiError =>
  new ApiError({ status: 400, operation: "createSecrets", serviceMessage: "bad" });

describe("shared lists", () => {
  it("answer every reader of a run with one call", async () => {
    const calls = shared();
    let loads = 0;
    const load = (): Promise<string[]> => Promise.resolve([`load ${++loads}`]);
    const answers = await Promise.all(Array.from({ length: 100 }, () => calls.list("secrets:a", load)));
    expect(new Set(answers.flat())).toEqual(new Set(["load 1"]));
    calls.forget("secrets:a");
    expect(await calls.list("secrets:a", load)).toEqual(["load 2"]);
  });

  it("are asked for again after a failure", async () => {
    const calls = shared();
    await expect(calls.list("x", () => Promise.reject(refused()))).rejects.toThrow();
    expect(await calls.list("x", () => Promise.resolve(1))).toBe(1);
  });

  it.each([
    new TimeoutError("too late", true),
    new RateLimitedError({ status: 429, operation: "listX", serviceMessage: "", message: "too late" }),
  ])("do not let one reader's deadline fail the others: $name", async (error) => {
    const calls = shared();
    const late = calls.list("x", () => Promise.reject(error));
    const other = calls.list("x", () => Promise.resolve("answer"));
    await expect(late).rejects.toThrow("too late");
    expect(await other).toBe("answer");
  });
});

describe("lists that are younger than a step", () => {
  it("are asked for once by the steps that come together, and again by a later one", async () => {
    const calls = shared();
    let loads = 0;
    const load = (): Promise<number> => Promise.resolve((loads += 1));
    expect(await calls.list("x", load)).toBe(1);
    const steps = Array.from({ length: 20 }, () => calls.fromNow());
    expect(new Set(await Promise.all(steps.map((step) => step.list("x", load))))).toEqual(new Set([2]));
    expect(await steps[0]?.list("x", load)).toBe(2);
    expect(await calls.fromNow().list("x", load)).toBe(3);
    expect(await calls.list("x", load)).toBe(3);
  });

  it("fail for all whom the service refuses, and for each whose own time is over", async () => {
    const calls = shared();
    let loads = 0;
    const failing = (error: Error) => (): Promise<never> => {
      loads += 1;
      return Promise.reject(error);
    };
    const results = (load: () => Promise<never>): Promise<PromiseSettledResult<never>[]> =>
      Promise.allSettled([1, 2, 3].map(() => calls.fromNow().list("x", load)));
    expect((await results(failing(refused()))).map(({ status }) => status)).toEqual(
      Array(3).fill("rejected"),
    );
    expect(loads).toBe(1);
    const cancelled = await results(failing(new CancelledError("The run was cancelled.")));
    expect(cancelled.map(({ status }) => status)).toEqual(Array(3).fill("rejected"));
    expect(loads).toBeLessThanOrEqual(4);
  });

  it("are asked for together by steps that come while one has no answer yet", async () => {
    const clock = new VirtualClock();
    const calls = createSharedCalls(clock);
    let loads = 0;
    const load = async (): Promise<number> => {
      const own = (loads += 1);
      await clock.sleep(2_000);
      return own;
    };
    const step = async (afterMs: number): Promise<number> => {
      await clock.sleep(afterMs);
      return calls.fromNow().list("x", load);
    };
    expect(await Promise.all([0, 300, 600, 900, 1_200].map(step))).toEqual([1, 2, 2, 2, 2]);
  });

  it("do not make the bulk that follows wait once more", async () => {
    const clock = new VirtualClock();
    const calls = createSharedCalls(clock);
    const beganMs = clock.now();
    const bulks: unknown[][] = [];
    const send: BulkItem<number>["send"] = (items) => Promise.resolve(void bulks.push([...items]));
    await Promise.all(
      [1, 2, 3].map(async (item) => {
        const step = calls.fromNow();
        await step.list("x", () => Promise.resolve([]));
        await step.inBulk("x", { item, send, limits: boundless });
      }),
    );
    expect(bulks).toEqual([[1, 2, 3]]);
    expect(clock.now() - beganMs).toBe(150);
  });
});

describe("bulk writes", () => {
  it("send together what arrives together, and what arrives meanwhile in the next bulk", async () => {
    const calls = shared();
    const bulks: number[][] = [];
    const gate = Promise.withResolvers<undefined>();
    const send = async (items: readonly number[]): Promise<void> => {
      bulks.push([...items]);
      await gate.promise;
    };
    const first = Promise.all([1, 2, 3].map((item) => calls.inBulk("k", { item, send, limits: boundless })));
    await waitUntil("the first bulk leaves", () => bulks.length > 0);
    const second = Promise.all([4, 5].map((item) => calls.inBulk("k", { item, send, limits: boundless })));
    gate.resolve(undefined);
    await Promise.all([first, second]);
    expect(bulks).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it("leave one after the other where more come at once than one takes", async () => {
    const calls = shared();
    const bulks: number[] = [];
    let underWay = 0;
    const send = async (items: readonly number[]): Promise<void> => {
      bulks.push(items.length);
      underWay += 1;
      expect(underWay).toBe(1);
      await new Promise(setImmediate);
      underWay -= 1;
    };
    const items = Array.from({ length: 1_500 }, (_, index) => index);
    await Promise.all(items.map((item) => calls.inBulk("k", { item, send, limits: boundless })));
    expect(bulks).toEqual([1_000, 500]);
  });

  it("narrow a refusal down to the bad item", async () => {
    const calls = shared();
    const stored = new Set<number>();
    const send = (items: readonly number[]): Promise<void> => {
      if (items.includes(3)) return Promise.reject(refused());
      for (const item of items) stored.add(item);
      return Promise.resolve();
    };
    const results = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((item) => calls.inBulk("k", { item, send, limits: boundless })),
    );
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect([...stored].sort()).toEqual([1, 2, 4, 5]);
  });
});

describe("an item of a bulk", () => {
  const clock = new VirtualClock();
  const later = (ms: number): number => clock.now() + ms;
  /** Answers after a time, or when nobody wants it any more. */
  const slow =
    (ms: number, sent: string[][] = []): BulkItem<string>["send"] =>
    async (items, { signal }) => {
      sent.push([...items]);
      await clock.sleep(ms, signal);
    };

  it("fails alone at its own deadline, and the others have as long as the most patient one", async () => {
    const calls = createSharedCalls(clock);
    const given: number[] = [];
    const send: BulkItem<string>["send"] = async (_, { deadlineMs }) => {
      given.push(deadlineMs);
      await clock.sleep(60_000);
    };
    const deadlines = [later(5_000), later(300_000), later(120_000)];
    const results = await Promise.allSettled(
      deadlines.map((deadlineMs) =>
        calls.inBulk("k", { item: "x", send, limits: { ...boundless, deadlineMs } }),
      ),
    );
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
    expect(results[0]).toMatchObject({ reason: { requestSent: true } });
    expect((results[0] as PromiseRejectedResult).reason).toBeInstanceOf(TimeoutError);
    expect(given).toEqual([deadlines[1]]);
  });

  it("is not sent when its time was over, or its run cancelled, before", async () => {
    const calls = createSharedCalls(clock);
    const sent: string[][] = [];
    const cancel = new AbortController();
    const add = (item: string, limits: Partial<StepLimits>): Promise<void> =>
      calls.inBulk("k", { item, send: slow(30_000, sent), limits: { ...boundless, ...limits } });
    const first = add("first", {});
    while (sent.length === 0) await clock.sleep(100);
    const others = Promise.allSettled([
      add("impatient", { deadlineMs: later(10_000) }),
      add("cancelled", { signal: cancel.signal }),
      add("patient", {}),
    ]);
    cancel.abort();
    const [impatient, cancelled, patient] = await others;
    expect(impatient).toMatchObject({ status: "rejected", reason: { requestSent: false } });
    expect(cancelled).toMatchObject({ status: "rejected", reason: { requestSent: false } });
    expect((cancelled as PromiseRejectedResult).reason).toBeInstanceOf(CancelledError);
    expect(patient).toMatchObject({ status: "fulfilled" });
    await first;
    expect(sent).toEqual([["first"], ["patient"]]);
  });

  it("that is cancelled on its way does not take the others with it, all of them do", async () => {
    const calls = createSharedCalls(clock);
    const cancels = [new AbortController(), new AbortController()];
    const sent: string[][] = [];
    const sending = (): Promise<PromiseSettledResult<void>[]> =>
      Promise.allSettled(
        cancels.map(({ signal }) =>
          calls.inBulk("k", { item: "x", send: slow(30_000, sent), limits: { ...boundless, signal } }),
        ),
      );
    const some = sending();
    while (sent.length === 0) await clock.sleep(100);
    cancels[0]?.abort();
    expect((await some).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    cancels[0] = new AbortController();
    const all = sending();
    while (sent.length === 1) await clock.sleep(100);
    for (const cancel of cancels) cancel.abort();
    expect((await all).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });
});

describe("exclusive work", () => {
  it("runs one after the other, after a failure too", async () => {
    const calls = shared();
    const order: string[] = [];
    const work =
      (name: string, fails = false) =>
      async (): Promise<void> => {
        order.push(`${name} begins`);
        await new Promise(setImmediate);
        order.push(`${name} ends`);
        if (fails) throw new Error(name);
      };
    await Promise.allSettled([calls.exclusively("k", work("a", true)), calls.exclusively("k", work("b"))]);
    expect(order).toEqual(["a begins", "a ends", "b begins", "b ends"]);
  });
});
