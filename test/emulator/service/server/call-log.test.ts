import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startEmulator, type Emulator } from "../../../../emulator";

const get = ({ url, accessToken }: Emulator, path: string): Promise<Response> =>
  fetch(`${url}${path}`, { headers: { authorization: `Bearer ${accessToken}` } });

describe("the log of calls", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator({ callLogSize: 3 });
  });
  afterEach(() => emulator.close());

  const callTimes = async (times: number): Promise<void> => {
    for (let call = 1; call <= times; call += 1) await get(emulator, `/v1/organizations?call=${call}`);
  };

  it("keeps the newest calls, as many as it was started for", async () => {
    await callTimes(5);
    expect(emulator.world.calls.list()).toHaveLength(3);
    const { logged, calls } = emulator.control.overview();
    expect(calls.map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
    expect(logged).toBe(5);
    expect(emulator.control.overview(4).calls).toHaveLength(1);
  });

  it("is whole as long as nothing had to make room", async () => {
    await callTimes(3);
    expect(emulator.control.countCalls()).toBe(3);
  });

  it("says so instead of giving a part, as a test would take what is missing for what never happened", async () => {
    await callTimes(4);
    const said = /is not complete: it keeps the newest 3.*`clearCalls`.*`--call-log`/;
    expect(() => emulator.control.calls({ operation: "createProject" })).toThrow(said);
    expect(() => emulator.control.countCalls()).toThrow(said);
    const refused = await fetch(`${emulator.url}/_control/calls`);
    expect([refused.status, await refused.json()]).toEqual([
      409,
      { message: expect.stringMatching(said) as unknown },
    ]);
    emulator.control.clearCalls();
    await callTimes(1);
    expect(emulator.control.calls()).toHaveLength(1);
  });

  it("keeps no more of a path than any path of the API has", async () => {
    await get(emulator, `/v1/${"x".repeat(8_000)}`);
    expect(emulator.control.calls()[0]?.path).toHaveLength(1_000);
  });
});

it("A log of no calls is refused", async () => {
  await expect(startEmulator({ callLogSize: 0 })).rejects.toThrow("a whole number of calls from 1 up: got 0");
});

describe("the log in a data folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "emulator-calls-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is as short, and knows after a restart that it is not complete", async () => {
    const first = await startEmulator({ dataFolder: folder, callLogSize: 2 });
    for (let call = 0; call < 4; call += 1) await get(first, "/v1/organizations");
    await first.close();
    const file = new DatabaseSync(join(folder, "emulator.db"));
    expect({ ...file.prepare("SELECT count(*) AS count FROM calls").get() }).toEqual({ count: 2 });
    file.close();

    const again = await startEmulator({ dataFolder: folder, callLogSize: 2 });
    expect(again.world.calls.list().map(({ sequence }) => sequence)).toEqual([3, 4]);
    expect(() => again.control.calls()).toThrow("is not complete");
    again.control.clearCalls();
    await again.close();

    const last = await startEmulator({ dataFolder: folder, callLogSize: 2 });
    expect(last.control.calls()).toEqual([]);
    await last.close();
  });

  it("lets calls go when it is shorter than before", async () => {
    const first = await startEmulator({ dataFolder: folder });
    for (let call = 0; call < 3; call += 1) await get(first, "/v1/organizations");
    expect(first.control.calls()).toHaveLength(3);
    await first.close();
    const again = await startEmulator({ dataFolder: folder, callLogSize: 1 });
    expect(again.world.calls.list()).toHaveLength(1);
    expect(() => again.control.calls()).toThrow("is not complete");
    await again.close();
  });
});
