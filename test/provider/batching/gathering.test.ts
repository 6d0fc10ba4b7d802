import { Gathering, Wave } from "../../../provider/batching/gathering";
import { VirtualClock } from "../../virtual-clock";

describe("items that come in short succession", () => {
  let clock: VirtualClock;
  let wave: Wave;
  beforeEach(() => {
    clock = new VirtualClock();
    wave = new Wave(clock);
  });
  afterEach(() => clock.close());

  /** Steps that arrive one after the other and end when the gathering leaves; after how long that was. */
  async function leaving(gathering: Gathering, count: number, everyMs: number): Promise<number> {
    const beganMs = clock.now();
    const left = Promise.withResolvers<number>();
    const arriving = async (index: number): Promise<void> => {
      await clock.sleep(index * everyMs);
      await wave.during(async () => {
        gathering.arrive();
        if (index === 0) left.resolve(gathering.untilQuiet().then(() => clock.now() - beganMs));
        await left.promise;
      });
    };
    await Promise.all(Array.from({ length: count }, (_, index) => arriving(index)));
    return left.promise;
  }

  it("leave together when none has come for a while: one alone sooner than many", async () => {
    expect(await leaving(new Gathering(clock, wave), 1, 0)).toBe(250);
    expect(await leaving(new Gathering(clock, wave), 3, 200)).toBe(400 + 750);
  });

  it("wait four times as long as the longest pause that was between them, and longer while they are few", async () => {
    expect(await leaving(new Gathering(clock, wave), 10, 40)).toBe(9 * 40 + 4 * 40);
    wave = new Wave(clock);
    expect(await leaving(new Gathering(clock, wave), 24, 12)).toBe(23 * 12 + 60);
    wave = new Wave(clock);
    expect(await leaving(new Gathering(clock, wave), 3, 5)).toBe(5 + 250);
  });

  it("wait longest where many steps are under way, as more would leave too late to share their call", async () => {
    expect(await leaving(new Gathering(clock, wave), 60, 5)).toBe(59 * 5 + 750);
  });

  it("do not take the time that the engine needs between two waves for a pause within one", async () => {
    await leaving(new Gathering(clock, wave), 10, 5);
    await clock.sleep(500);
    await wave.during(() => Promise.resolve());
    expect(wave.quietMs(10)).toBe(60);
  });

  it("leave at the latest after ten seconds", async () => {
    expect(await leaving(new Gathering(clock, wave), 60, 200)).toBe(10_000);
  });

  it("leave soon when they come from one gathering", async () => {
    const gathering = new Gathering(clock, wave);
    const beganMs = clock.now();
    for (let item = 0; item < 5; item += 1) gathering.arrive({ wasGathered: true });
    await gathering.untilQuiet();
    expect(clock.now() - beganMs).toBe(25);
  });

  it("leave at once where the engine was seen to start no more steps than wait", async () => {
    const gathering = new Gathering(clock, wave);
    expect(await leaving(gathering, 4, 100)).toBe(300 + 400);
    expect(await leaving(gathering, 4, 100)).toBe(300);
    expect(await leaving(gathering, 3, 100)).toBe(200 + 400);
    expect(await leaving(gathering, 4, 100)).toBe(300);
  });

  it("wait again when the engine starts more steps than were ever seen", async () => {
    const gathering = new Gathering(clock, wave);
    expect(await leaving(gathering, 2, 100)).toBe(100 + 400);
    const slow = wave.during(() => clock.sleep(60_000));
    expect(await leaving(gathering, 2, 100)).toBe(100 + 400);
    await slow;
  });

  it("leave in the largest group first where all slots of the engine wait, while the others grow", async () => {
    const few = new Gathering(clock, wave);
    const many = new Gathering(clock, wave);
    await leaving(few, 5, 10);
    expect(await Promise.all([leaving(few, 2, 10), leaving(many, 3, 10)])).toEqual([10 + 250, 20]);
  });

  it("end with the clock's own error, as where its process is dead", async () => {
    const dead = { now: () => 0, sleep: () => Promise.reject(new Error("dead")) };
    const gathering = new Gathering(dead, wave);
    gathering.arrive();
    await expect(gathering.untilQuiet()).rejects.toThrow("dead");
  });
});
