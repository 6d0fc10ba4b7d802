import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { useBuiltCommand } from "../../command/built-command";

const ROUNDS = 4;
const PROJECTS = 4;
/** A user may write 120 times a minute to each project, which is more than a round takes. */
const USERS = 6;

/** What the emulator must not forget, in the spelling of the control's snapshot. */
const kept = z.object({
  projects: z.record(z.string(), z.object({ name: z.string(), secrets: z.record(z.string(), z.unknown()) })),
});

describe("an emulator with a data folder that is killed", () => {
  const cli = useBuiltCommand("cli");
  let folder: string;
  let child: ChildProcess | undefined;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "emulator-data-"));
  });
  afterAll(() => {
    child?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<string> {
    // A project takes more than a hundred secrets there.
    child = spawn(process.execPath, [cli, "--data", folder, "--pace", "0", "--service", "2026-06"]);
    let said = "";
    for await (const text of child.stdout ?? []) {
      said += String(text);
      const url = /base URL +(\S+)/.exec(said)?.[1];
      if (url !== undefined) return url;
    }
    throw new Error(`The emulator did not start: ${said}`);
  }
  async function kill(): Promise<void> {
    const ended = child && once(child, "exit");
    child?.kill("SIGKILL");
    await ended;
  }
  async function post(url: string, body: unknown, token?: string): Promise<unknown> {
    const headers = {
      "content-type": "application/json",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    expect(answer.status).toBeLessThan(300);
    const text = await answer.text();
    return text === "" ? undefined : JSON.parse(text);
  }

  it("has lost nothing that it had answered", async () => {
    const answered: { readonly ref: string; readonly name: string }[] = [];
    const projectsAnswered: string[] = [];
    let url = await start();
    const tokens = await Promise.all(
      Array.from({ length: USERS }, async (_, user) => {
        const issued = await post(`${url}/_control/tokens`, { user: `user-${user}` });
        return z.object({ token: z.string() }).parse(issued).token;
      }),
    );
    const newProject = async (name: string): Promise<string> => {
      const body = { name, organization_slug: "acme", db_pass: "a-password" };
      const made = await post(`${url}/v1/projects`, body, tokens[0]);
      return z.object({ ref: z.string() }).parse(made).ref;
    };
    const refs = await Promise.all(Array.from({ length: PROJECTS }, (_, number) => newProject(`p${number}`)));

    for (let round = 0; round < ROUNDS; round += 1) {
      let isOver = false;
      const enough = answered.length + 40 * (round + 1);
      const { promise: hasEnough, resolve } = Promise.withResolvers<undefined>();
      const writers = tokens.flatMap((token, user) =>
        refs.map(async (ref, project) => {
          for (let count = 0; !isOver && count < 100; count += 1) {
            const name = `R${round}_${user}_${project}_${count}`;
            const body = [{ name, value: "x".repeat(200) }];
            await post(`${url}/v1/projects/${ref}/secrets`, body, token);
            answered.push({ ref, name });
            if (answered.length >= enough) resolve(undefined);
          }
        }),
      );
      const maker = newProject(`made-in-${round}`).then((ref) => projectsAnswered.push(ref));
      const storm = Promise.allSettled([...writers, maker]);
      await hasEnough;
      await kill();
      isOver = true;
      await storm;

      url = await start();
      const { projects } = kept.parse(await (await fetch(`${url}/_control/snapshot`)).json());
      const lost = answered.filter(({ ref, name }) => projects[ref]?.secrets[name] === undefined);
      expect(lost).toEqual([]);
      expect([...refs, ...projectsAnswered].filter((ref) => !(ref in projects))).toEqual([]);
    }
    expect(answered.length).toBeGreaterThan(100);
  });
});
