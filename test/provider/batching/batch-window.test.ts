import { BatchWindow } from "../../../provider/batching/batch-window";
import { StepPace } from "../../../provider/batching/step-pace";
import { VirtualClock } from "../../../tools/virtual-clock";

describe("the window of a batch", () => {
  const clock = new VirtualClock();
  afterAll(() => clock.close());

  /** A window of a run of which one other step never waits, so that nobody knows whether more come. */
  function openWindow(pace = new StepPace(clock)): BatchWindow {
    void pace.during(() => new Promise(() => undefined));
    return new BatchWindow(clock, pace);
  }

  /** How long the first of so many items waits that come one after the other. */
  async function wait(count: number, everyMs: number): Promise<number> {
    const window = openWindow();
    const beganMs = clock.now();
    window.extend();
    const ended = window.end().then(() => clock.now() - beganMs);
    for (let item = 1; item < count; item += 1) {
      await clock.sleep(everyMs);
      window.extend();
    }
    return ended;
  }

  it("ends when no item has come for 150 ms", async () => {
    expect(await wait(1, 0)).toBe(150);
    expect(await wait(10, 60)).toBe(9 * 60 + 150);
    expect(await wait(3, 200)).toBe(150);
  });

  /** How long each of so many windows is, of which every one has as many items. */
  async function lengthsOf(
    windows: number,
    { items, everyMs }: Readonly<Record<string, number>>,
  ): Promise<number[]> {
    const pace = new StepPace(clock);
    const window = openWindow(pace);
    const lengthsMs: number[] = [];
    for (let made = 0; made < windows; made += 1) {
      await clock.sleep(1_000);
      for (let item = 0; item < (items ?? 1); item += 1) {
        if (item > 0) await clock.sleep(everyMs ?? 0);
        void pace.during(() => new Promise(() => undefined));
        window.extend();
      }
      const beganMs = clock.now();
      await window.end();
      window.release();
      lengthsMs.push(clock.now() - beganMs);
    }
    return lengthsMs;
  }

  it("waits longer from the fourth call within a minute on where the steps come slowly", async () => {
    expect(await lengthsOf(6, { items: 4, everyMs: 140 })).toEqual([150, 150, 150, 500, 500, 500]);
    expect(await lengthsOf(5, { items: 1 })).toEqual([150, 150, 150, 500, 500]);
  });

  it("waits longer from the thirteenth on where they come quickly, whatever the pauses between the calls", async () => {
    const quick = Array<number>(12).fill(150);
    expect(await lengthsOf(14, { items: 4, everyMs: 20 })).toEqual([...quick, 500, 500]);
  });

  it("forgets the calls of a minute ago", async () => {
    const window = openWindow();
    const lengthsMs: number[] = [];
    for (const pauseMs of [0, 0, 0, 0, 20_000, 60_000]) {
      await clock.sleep(pauseMs);
      const beganMs = clock.now();
      window.extend();
      await window.end();
      lengthsMs.push(clock.now() - beganMs);
    }
    expect(lengthsMs).toEqual([150, 150, 150, 500, 500, 150]);
  });

  it("ends after ten seconds at the latest", async () => {
    expect(await wait(200, 100)).toBe(10_000);
  });

  it("stays open while the call before is under way, for ten seconds at the most", async () => {
    const beganMs = clock.now();
    const lengthOf = async (busyMs: number): Promise<number> => {
      const window = openWindow();
      const openedMs = clock.now();
      window.extend();
      await window.end(() => clock.now() < openedMs + busyMs);
      return clock.now() - openedMs;
    };
    expect(await lengthOf(400)).toBe(450);
    expect(await lengthOf(60_000)).toBe(10_000);
    expect(clock.now() - beganMs).toBe(10_450);
  });

  it("ends at once for items that have waited together before", async () => {
    const window = openWindow();
    const beganMs = clock.now();
    window.extend(true);
    await window.end();
    expect(clock.now()).toBe(beganMs);
  });

  describe("where every step of the run waits", () => {
    /** How long the window is after the last of the steps has come, of which `others` do something else for a second. */
    async function lengthAfter(pausesMs: readonly number[], others = 0): Promise<number> {
      const pace = new StepPace(clock);
      const window = new BatchWindow(clock, pace);
      for (let other = 0; other < others; other += 1) void pace.during(() => clock.sleep(1_000));
      for (const pauseMs of pausesMs) {
        await clock.sleep(pauseMs);
        void pace.during(() => new Promise(() => undefined));
        window.extend();
      }
      const lastMs = clock.now();
      await window.end();
      window.release();
      return clock.now() - lastMs;
    }

    it.each([
      [[0, 5, 5, 5], 50],
      [[0, 20, 20, 20], 100],
      [[0, 30, 30, 30], 125],
    ])(
      "ends four usual pauses after the last one, and after 50 ms at the earliest: %j",
      async (pausesMs, ms) => {
        expect(await lengthAfter(pausesMs)).toBe(ms);
      },
    );

    it.each([[[0, 60, 60, 60]], [[0, 400, 400, 400]], [[0]], [[]]])(
      "never lasts longer than without knowing: %j",
      async (pausesMs) => {
        expect(await lengthAfter(pausesMs)).toBe(pausesMs.length === 0 ? 0 : 150);
      },
    );

    it("waits as long as before while one step does something else", async () => {
      expect(await lengthAfter([0, 5, 5, 5], 1)).toBe(150);
    });

    it("counts a step as waiting until its batch leaves, and no longer", async () => {
      const pace = new StepPace(clock);
      const window = new BatchWindow(clock, pace);
      const end = Promise.withResolvers<undefined>();
      const steps = [0, 1].map(() => pace.during(() => end.promise));
      window.extend();
      expect(pace.areAllWaiting()).toBe(false);
      window.extend();
      expect(pace.areAllWaiting()).toBe(true);
      await window.end();
      expect(pace.areAllWaiting()).toBe(true);
      window.release();
      expect(pace.areAllWaiting()).toBe(false);
      end.resolve(undefined);
      await Promise.all(steps);
      expect(pace.areAllWaiting()).toBe(true);
    });
  });

  it("ends where its clock has ended", async () => {
    const dead = { now: () => 0, sleep: () => Promise.reject(new Error("dead")) };
    const window = new BatchWindow(dead, new StepPace(dead));
    window.extend();
    await expect(window.end()).resolves.toBeUndefined();
  });
});
