import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toPrintable } from "../../../spec/printed-text";
import { useBuiltCommand } from "./built-command";

describe("management-emulator exec", () => {
  const cli = useBuiltCommand("exec");

  const start = (args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
    spawn(process.execPath, [cli, "exec", ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
  const node = (script: string): string[] => ["--", process.execPath, "-e", script];

  async function run(
    args: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<{ code: unknown; signal: unknown; out: string; err: string }> {
    const child = start(args, env);
    const said = { out: "", err: "" };
    child.stdout?.on("data", (text) => (said.out += String(text)));
    child.stderr?.on("data", (text) => (said.err += String(text)));
    const [code, signal] = (await once(child, "close")) as unknown[];
    return { code, signal, ...said };
  }

  it("lets the program call it, says nothing of its own, and ends with the program's code", async () => {
    const script = `
      fetch(process.env.MANAGEMENT_BASE_URL + "/v1/organizations", {
        headers: { authorization: "Bearer " + process.env.MANAGEMENT_ACCESS_TOKEN },
      }).then((answer) => answer.json()).then((found) => {
        console.log(found.map(({ slug }) => slug).join(), process.env.MANAGEMENT_REFRESH_TOKEN);
        process.exitCode = 7;
      });`;
    const ended = await run(["--organization", "shop", ...node(script)], {
      MANAGEMENT_ACCESS_TOKEN: "of-a-real-account",
      MANAGEMENT_REFRESH_TOKEN: "of-a-real-account",
    });
    expect(ended).toEqual({ code: 7, signal: null, out: "shop undefined\n", err: "" });
  });

  it("takes no code and no database out of a cache that another user can write, and leaves nothing there", async () => {
    const cache = mkdtempSync(join(tmpdir(), "management-exec-"));
    try {
      const own = join(cache, "management-emulator");
      const planted = join(own, "compile-cache");
      mkdirSync(planted, { recursive: true });
      const ofCache = (): Promise<{ code: unknown }> => run(node(""), { XDG_CACHE_HOME: cache });
      chmodSync(own, 0o777);
      expect(await ofCache()).toMatchObject({ code: 0 });
      expect(readdirSync(own, { recursive: true })).toEqual(["compile-cache"]);
      chmodSync(own, 0o700);
      expect(await ofCache()).toMatchObject({ code: 0 });
      expect(readdirSync(planted).length).toBeGreaterThan(0);
    } finally {
      rmSync(cache, { recursive: true });
    }
  });

  it("says nothing that a terminal or a forge acts on, whatever a seed or the command line names", async () => {
    const name = "s\u001b]0;x\u0007\n::add-mask::q\u202e";
    const folder = mkdtempSync(join(tmpdir(), "management-exec-"));
    const seed = join(folder, "seed.json");
    const project = { organization: "acme", dbPass: "some-password-1", region: "eu-west-1" };
    const functions = [{ slug: "a\u001b[2J", files: { "index.ts": "1" } }];
    const ending = node("");
    try {
      for (const of of [{ functions }, { [name]: 1 }]) {
        const seeded = {
          organizations: [{ slug: "acme", plan: "pro" }],
          projects: [{ name, ...project, ...of }],
        };
        writeFileSync(seed, JSON.stringify(seeded));
        const { code, err } = await run(["--seed", seed, ...ending]);
        expect([code, toPrintable(err)]).toEqual([1, err]);
        expect(err).toContain(String.raw`s\u001b]0;x\u0007`);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    for (const args of [["--seed", name], [`--${name}`], ["--organization", name]]) {
      const { code, out, err } = await run([...args, ...ending]);
      expect([code, out, toPrintable(err)]).toEqual([expect.any(Number), "", err]);
      expect(err).toMatch(/^management-emulator: .*s\\u001b/);
    }
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "passes %s on, once, and waits for the end",
    async (sent) => {
      const script = `
      process.on("${sent}", () => console.log("got it"));
      process.once("${sent}", () => setTimeout(() => process.exit(3), 300));
      setInterval(() => undefined, 1000);
      console.log("ready");`;
      const child = start(node(script));
      let out = "";
      for await (const text of child.stdout ?? []) {
        out += String(text);
        if (out === "ready\n") child.kill(sent);
      }
      if (child.exitCode === null) await once(child, "exit");
      expect([out, child.exitCode]).toEqual(["ready\ngot it\n", 3]);
    },
  );

  it("ends by the signal that ended the program", async () => {
    const ended = await run(node("process.kill(process.pid, 'SIGTERM'); setInterval(() => undefined, 1000)"));
    expect(ended).toEqual({ code: null, signal: "SIGTERM", out: "", err: "" });
  });

  it("ends as a shell does where there is no such program", async () => {
    expect(await run(["--", "no-such-program"])).toEqual({
      code: 127,
      signal: null,
      out: "",
      err: "management-emulator: no-such-program cannot be run: there is no such program\n",
    });
  });
});
