import { textLike } from "../../service/server/tiny-service";
import { startEmulator, type Emulator } from "../../../../emulator";

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

  it("lists the faults that wait for their calls", () => {
    const { control } = emulator;
    control.addFault({ operation: "listProjects", status: 502, times: 2 });
    expect(control.overview().faults).toMatchObject([
      { rule: { operation: "listProjects", status: 502 }, remaining: 2 },
    ]);
  });

  it("has what is in a project by name, without a value, and without its database while that is away", async () => {
    const { control } = emulator;
    const body = { name: "shop", organization_slug: "acme", db_pass: "a-password" };
    const { ref } = control.call("createProject", { body });
    const contents = (): Promise<Response> => fetch(`${emulator.url}/_control/contents?ref=${ref}`);
    expect(await (await contents()).json()).toMatchObject({
      migrations: [],
      tables: [],
      databaseError: textLike(/^Project status is /),
    });
    control.advance(120_000);
    control.call("createSecrets", { ref, body: [{ name: "PAYMENT_TOKEN", value: "the-value" }] });
    const query = 'create table public."an order" (id int); create view public.orders as select 1 as id';
    await control.call("applyMigration", { ref, body: { name: "orders", query } });
    const text = await (await contents()).text();
    expect(JSON.parse(text)).toEqual({
      functions: [],
      secrets: expect.arrayContaining(["PAYMENT_TOKEN"]) as unknown,
      apiKeys: [
        { name: "default", type: "publishable" },
        { name: "default", type: "secret" },
      ],
      signingKeys: [{ algorithm: "HS256", status: "in_use" }],
      migrations: [{ version: textLike(/^\d{14}$/), name: "orders" }],
      tables: ["public.an order"],
    });
    expect(text).not.toContain("the-value");
    expect((await fetch(`${emulator.url}/_control/contents?ref=nobodysproject`)).status).toBe(404);
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
