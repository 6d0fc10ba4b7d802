import { ApiError, RateLimitedError, TimeoutError } from "../../../provider/client/errors";
import { createSharedCalls } from "../../../provider/lifecycle/shared-calls";
import { VirtualClock } from "../../virtual-clock";

const shared = () => createSharedCalls(new VirtualClock());
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

describe("bulk writes", () => {
  it("send together what arrives together, and what arrives meanwhile in the next bulk", async () => {
    const calls = shared();
    const bulks: number[][] = [];
    const gate = Promise.withResolvers<undefined>();
    const send = async (items: readonly number[]): Promise<void> => {
      bulks.push([...items]);
      await gate.promise;
    };
    const first = Promise.all([1, 2, 3].map((item) => calls.inBulk("k", item, send)));
    while (bulks.length === 0) await new Promise(setImmediate);
    const second = Promise.all([4, 5].map((item) => calls.inBulk("k", item, send)));
    gate.resolve(undefined);
    await Promise.all([first, second]);
    expect(bulks).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  it("narrow a refusal down to the bad item", async () => {
    const calls = shared();
    const stored = new Set<number>();
    const send = (items: readonly number[]): Promise<void> => {
      if (items.includes(3)) return Promise.reject(refused());
      for (const item of items) stored.add(item);
      return Promise.resolve();
    };
    const results = await Promise.allSettled([1, 2, 3, 4, 5].map((item) => calls.inBulk("k", item, send)));
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
