import { closeAll, PROJECT, REF, setUp, type Setup } from "./setup";
import { counted, WindowCounter } from "./counting-service";

afterEach(closeAll);

async function setUpCounted(limit?: number): Promise<Setup & { counter: WindowCounter }> {
  const holder: { counter?: WindowCounter } = {};
  const counterOf = (): WindowCounter => {
    if (holder.counter === undefined) throw new Error("not started");
    return holder.counter;
  };
  const setup = await setUp(counted(counterOf, PROJECT));
  holder.counter = new WindowCounter(() => setup.clock.now(), limit);
  return { ...setup, counter: holder.counter };
}

describe("calls of one scope", () => {
  it("uses 120, 120 and 60 calls of three windows for 300 calls at once, and sees no 429", async () => {
    const { client, counter } = await setUpCounted();
    await Promise.all(Array.from({ length: 300 }, () => client.getProject({ ref: REF })));
    expect(counter.accepted).toEqual([120, 120, 60]);
    expect(counter.refused).toBe(0);
  });
});
