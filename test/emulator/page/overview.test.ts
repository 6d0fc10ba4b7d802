import { startEmulator, type Emulator } from "../../../emulator";

describe("the overview", () => {
  let emulator: Emulator;
  beforeEach(async () => {
    emulator = await startEmulator();
  });
  afterEach(() => emulator.close());

  const call = (path: string): Promise<Response> =>
    fetch(`${emulator.url}${path}`, { headers: { authorization: `Bearer ${emulator.accessToken}` } });
  const pathsOf = ({ calls }: { calls: readonly { path: string }[] }): string[] =>
    calls.map(({ path }) => path);

  it("tells of a slow call when it ends, though a later one was told of before", async () => {
    const { control } = emulator;
    control.addFault({ operation: "listProjects", delayMs: 200 });
    const slow = call("/v1/projects");
    await call("/v1/organizations");
    const first = control.overview();
    expect(pathsOf(first)).toEqual(["/v1/organizations"]);
    await slow;
    const second = control.overview(first.logged);
    expect(pathsOf(second)).toEqual(["/v1/projects"]);
    expect(pathsOf(control.overview(second.logged))).toEqual([]);
  });

  it("goes on after the log was emptied, with what is new only", async () => {
    const { control } = emulator;
    await call("/v1/projects");
    const { logged } = control.overview();
    control.clearCalls();
    await call("/v1/organizations");
    expect(pathsOf(control.overview(logged))).toEqual(["/v1/organizations"]);
  });
});
