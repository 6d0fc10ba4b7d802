import { textLike } from "../core/tiny-service";
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

  it("tells the step at which a branch failed, with what that step wrote and nothing else", () => {
    const { control } = emulator;
    const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    const { ref } = control.call("createProject", { body });
    control.advance(120_000);
    control.set(`projects.${ref}.next.branchFailure`, { step: "seed", log: "no such file\nseed.sql" });
    control.call("createBranch", { ref, body: { branch_name: "preview", git_branch: "main" } });
    const failure = (): unknown =>
      control.overview().organizations[0]?.projects[0]?.branches.find(({ name }) => name === "preview")
        ?.failure;
    expect(failure()).toBeUndefined();
    control.advance(300_000);
    expect(failure()).toEqual({
      name: "seed",
      log: textLike(
        /^\S+ \[seed\] started\n\[seed\] no such file\n\[seed\] seed.sql\n\S+ \[seed\] failed\n$/,
      ),
    });
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
