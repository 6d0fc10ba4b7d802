import type { Instance } from "../../../../emulator/postgres/databases/instance";
import { RunningInstances } from "../../../../emulator/postgres/databases/running-instances";

/** An instance that takes until `end` to shut down. */
function slowInstance(): { instance: Instance; isClosed: () => boolean; end: () => void } {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let isClosed = false;
  const close = async (): Promise<void> => {
    await ended;
    isClosed = true;
  };
  // Of an instance, only these are used here.
  const instance = { isRunning: true, close, terminate: close } as unknown as Instance;
  return { instance, isClosed: () => isClosed, end };
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

it.each(["stopped", "taken again"])(
  "a database that makes room for another one has shut down before it is %s",
  async (what) => {
    const running = new RunningInstances(1);
    const first = slowInstance();
    await running.take("shop", () => Promise.resolve(first.instance));
    running.giveBack("shop");
    const other = running.take("other", () => Promise.resolve(slowInstance().instance));
    await turns();
    const seen: boolean[] = [];
    const next =
      what === "stopped"
        ? running.stop("shop").then(() => seen.push(first.isClosed()))
        : running.take("shop", () => {
            seen.push(first.isClosed());
            return Promise.resolve(slowInstance().instance);
          });
    await turns();
    expect(seen).toEqual([]);
    first.end();
    await other;
    running.giveBack("other");
    if (what === "stopped") await next;
    await turns();
    for (const closed of seen) expect(closed).toBe(true);
    if (what === "stopped") expect(seen).toEqual([true]);
  },
);
