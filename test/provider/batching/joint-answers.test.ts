import { createSharedCalls } from "../../../provider/batching/shared-calls";
import { VirtualClock } from "../../../tools/virtual-clock";

describe("an answer that serves several kinds of steps", () => {
  const clock = new VirtualClock();
  afterAll(() => clock.close());

  it("is not asked for by one kind alone, however many of it there are", async () => {
    const calls = createSharedCalls(clock);
    const beganMs = clock.now();
    const asked = await Promise.all(["auth", "auth", "auth"].map((kind) => calls.isForSeveral("a", kind)));
    expect(asked).toEqual([false, false, false]);
    expect(clock.now() - beganMs).toBe(150);
  });

  it("is asked for by all who come within the window of the first, which ends with the second", async () => {
    const calls = createSharedCalls(clock);
    const beganMs = clock.now();
    const first = calls.isForSeveral("a", "auth");
    await clock.sleep(100);
    expect(await calls.isForSeveral("a", "storage")).toBe(true);
    expect(await first).toBe(true);
    expect(clock.now() - beganMs).toBe(100);
    expect(await calls.isForSeveral("a", "realtime")).toBe(true);
  });

  it("is asked for at once by a later one of another kind", async () => {
    const calls = createSharedCalls(clock);
    expect(await calls.isForSeveral("a", "auth")).toBe(false);
    const beganMs = clock.now();
    expect(await calls.isForSeveral("a", "storage")).toBe(true);
    expect(clock.now()).toBe(beganMs);
  });

  it("is another one for each key", async () => {
    const calls = createSharedCalls(clock);
    const asked = await Promise.all(["a", "b"].map((key, index) => calls.isForSeveral(key, `${index}`)));
    expect(asked).toEqual([false, false]);
  });

  it("is waited for no longer than until every step of the process waits", async () => {
    const calls = createSharedCalls(clock);
    const begin = (kind: string, key: string): Promise<boolean> =>
      calls.pace.during(() => calls.isForSeveral(key, kind));
    const beganMs = clock.now();
    const others = begin("auth", "a");
    await clock.sleep(5);
    expect(await Promise.all([others, begin("auth", "b")])).toEqual([false, false]);
    expect(clock.now() - beganMs).toBeLessThan(150);
  });
});
