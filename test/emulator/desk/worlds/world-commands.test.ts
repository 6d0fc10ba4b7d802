import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { useBuiltCommand } from "../../command/built-command";

describe("management-emulator export and import", () => {
  const cli = useBuiltCommand("worlds");
  let folder: string;
  const servers: ChildProcess[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "emulator-world-"));
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await stop(server);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const launch = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
    spawn(process.execPath, [cli, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
  async function run(
    args: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<{ code: unknown; out: string; err: string }> {
    const child = launch(args, env);
    const said = { out: "", err: "" };
    child.stdout?.on("data", (text) => (said.out += String(text)));
    child.stderr?.on("data", (text) => (said.err += String(text)));
    const [code] = (await once(child, "close")) as unknown[];
    return { code, ...said };
  }
  async function serve(
    args: readonly string[],
  ): Promise<{ url: string; controlToken: string; server: ChildProcess }> {
    const server = launch(args);
    servers.push(server);
    let said = "";
    for await (const text of server.stdout ?? []) {
      said += String(text);
      const url = /base URL +(\S+)/.exec(said)?.[1];
      if (url === undefined || !said.includes("Stop:")) continue;
      return { url, controlToken: /control token +(\S+)/.exec(said)?.[1] ?? "", server };
    }
    throw new Error(`The emulator did not start: ${said}`);
  }
  async function stop(server: ChildProcess): Promise<void> {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill("SIGTERM");
    await once(server, "exit");
  }
  const projects = async (url: string): Promise<unknown> => {
    const answer = await fetch(`${url}/v1/projects`, { headers: { authorization: "Bearer a-token" } });
    return answer.json();
  };
  const start = ["--token", "a-token", "--pace", "0"];

  it("move the world of a running emulator into the data folder of another", async () => {
    const { url, controlToken } = await serve([...start, "--control-token"]);
    await fetch(`${url}/v1/projects`, {
      method: "POST",
      headers: { authorization: "Bearer a-token", "content-type": "application/json" },
      body: JSON.stringify({ name: "shop", organization_slug: "acme", db_pass: "a-password" }),
    });
    const before = await projects(url);
    expect(before).toHaveLength(1);
    const refused = await run(["export", "world", "--url", url]);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("MANAGEMENT_EMULATOR_CONTROL_TOKEN");
    expect(existsSync(join(folder, "world"))).toBe(false);

    const env = { MANAGEMENT_BASE_URL: `${url}/`, MANAGEMENT_EMULATOR_CONTROL_TOKEN: controlToken };
    expect(await run(["export", "world"], env)).toEqual({
      code: 0,
      out: "The world is in world, which holds secrets: only you can read it\n",
      err: "",
    });
    expect(statSync(join(folder, "world")).mode & 0o777).toBe(0o600);
    expect(await run(["import", "world", "--data", "moved"])).toEqual({
      code: 0,
      out: "The world is in moved: start it with --data moved\n",
      err: "",
    });
    const copy = await serve(["--data", "moved"]);
    expect(await projects(copy.url)).toEqual(before);
    await stop(copy.server);

    // And from there once more.
    expect((await run(["export", "again", "--data", "moved"])).code).toBe(0);
    const again = await serve(["--world", "again"]);
    expect(await projects(again.url)).toEqual(before);
    const listed = `fetch(process.env.MANAGEMENT_BASE_URL + "/v1/projects", { headers: { authorization: "Bearer a-token" } })
      .then((answer) => answer.text()).then((text) => process.stdout.write(text))`;
    const program = await run(["exec", "--world", "again", "--", process.execPath, "-e", listed]);
    expect(JSON.parse(program.out)).toEqual(before);
  });

  it("say what is missing, and what is in the way", async () => {
    const bare = { MANAGEMENT_BASE_URL: "" };
    expect(await run(["export"], bare)).toMatchObject({
      code: 2,
      err: expect.stringContaining("missing required argument 'file'") as string,
    });
    expect(await run(["export", "a"], bare)).toMatchObject({
      code: 2,
      err: expect.stringContaining("export needs --url") as string,
    });
    expect(await run(["export", "a", "--url", "http://127.0.0.1:9"])).toMatchObject({
      code: 1,
      err: "management-emulator: No emulator answers at http://127.0.0.1:9: start it, or name its base URL with --url\n",
    });
    expect(await run(["export", "a", "--data", "nowhere"])).toMatchObject({
      code: 1,
      err: "management-emulator: There is no folder nowhere\n",
    });
    expect(existsSync(join(folder, "nowhere"))).toBe(false);
    expect(await run(["import", "nothing"])).toMatchObject({
      code: 2,
      err: expect.stringContaining("import needs --data") as string,
    });
    expect(await run(["import", "nothing", "--data", "new"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("The world nothing cannot be read") as string,
    });
    expect(existsSync(join(folder, "new"))).toBe(false);
    const help = await run(["import", "--help"]);
    expect(help).toMatchObject({
      code: 0,
      out: expect.stringContaining("import [options] <file>") as string,
    });
  });
});
