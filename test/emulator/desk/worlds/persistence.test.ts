import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MovableClock, startEmulator, type Emulator, type EmulatorOptions } from "../../../../emulator";

const START = Date.UTC(2026, 0, 1);

describe("a data folder", () => {
  let folder: string;
  let running: Emulator | undefined;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "emulator-data-"));
  });
  afterEach(async () => {
    await running?.close();
    running = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(options: EmulatorOptions = {}): Promise<Emulator> {
    const clock = new MovableClock({ now: () => START });
    running = await startEmulator({ dataFolder: folder, clock, ...options });
    return running;
  }
  async function restart(options: EmulatorOptions = {}): Promise<Emulator> {
    await running?.close();
    return start(options);
  }
  const file = (): string => join(folder, "emulator.db");
  const use = (emulator: Emulator, token: string, path = "/v1/projects"): Promise<Response> =>
    fetch(`${emulator.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  const newProject = ({ control }: Emulator): string =>
    control.call("createProject", {
      body: { name: "shop", organization_slug: "acme", db_pass: "a-password" },
    }).ref;

  it("keeps the whole state over a restart, maps, bytes and their order included", async () => {
    const { control } = await start();
    const refs = ["b", "a", "c"].map((name) => {
      const body = { name, organization_slug: "acme", db_pass: "a-password" };
      return control.call("createProject", { body }).ref;
    });
    control.advance(120_000);
    const [ref = ""] = refs;
    control.call("createSecrets", { ref, body: [{ name: "KEY", value: "value" }] });
    const content = new TextEncoder().encode(`export const text = "${"long ".repeat(1_000)}";`);
    control.call("deployFunction", {
      ref,
      slug: "greet",
      body: { metadata: { entrypoint_path: "index.ts" }, file: [{ name: "index.ts", content }] },
    });
    control.call("createBranch", { ref, body: { branch_name: "preview" } });
    control.edit((state) => (state.idleBranchPauseMs = null));
    const before = control.snapshot();

    const again = await restart();
    expect(again.control.snapshot()).toEqual(before);
    expect([...again.world.state.projects.keys()].slice(0, 3)).toEqual(refs);
    const [bundle] = again.world.state.projects.get(ref)?.bundles.values() ?? [];
    expect(bundle?.files.get("index.ts")).toEqual(content);
    // What goes on working is more than what looks the same.
    again.control.call("createSecrets", { ref, body: [{ name: "OTHER", value: "value" }] });
    const names = again.control.call("listSecrets", { ref }).map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith("SVC_"))).toEqual(["KEY", "OTHER"]);
  });

  it("keeps tokens, OAuth applications and what was issued to them", async () => {
    const first = await start();
    const token = first.control.createToken({ permissions: ["projects_read"] });
    const app = first.control.createOAuthApp({ scopes: ["projects:read"] });
    const exchange = async (emulator: Emulator, refreshToken: string): Promise<Record<string, string>> => {
      const fields = { client_id: app.clientId, client_secret: app.clientSecret };
      const body = new URLSearchParams({ ...fields, refresh_token: refreshToken });
      const answer = await fetch(`${emulator.url}/v1/oauth/token`, { method: "POST", body });
      expect(answer.status).toBe(201);
      return (await answer.json()) as Record<string, string>;
    };
    const issued = await exchange(first, app.refreshToken);

    const again = await restart();
    expect(again.accessToken).toBe(first.accessToken);
    expect((await use(again, again.accessToken)).status).toBe(200);
    expect((await use(again, token)).status).toBe(200);
    expect((await use(again, token, "/v1/organizations")).status).toBe(403);
    expect((await use(again, issued["access_token"] ?? "")).status).toBe(200);
    await exchange(again, issued["refresh_token"] ?? "");
  });

  it("keeps time that was skipped, the pace and the log of calls", async () => {
    const first = await start();
    first.control.advance(3_600_000);
    first.control.setPace(0.25);
    await use(first, first.accessToken);
    const [call] = first.control.calls();

    const again = await restart();
    expect(again.world.clock.now()).toBe(START + 3_600_000);
    expect(again.world.pace).toBe(0.25);
    expect(again.control.calls()).toEqual([call]);
    await use(again, again.accessToken);
    expect(again.control.calls().map(({ sequence }) => sequence)).toEqual([1, 2]);
    again.control.clearCalls();
    expect((await restart({ pace: 0.5 })).control.calls()).toEqual([]);
    expect(running?.world.pace).toBe(0.5);
  });

  it("lets what settles go on where it was", async () => {
    const first = await start();
    const ref = newProject(first);
    first.control.advance(10_000);
    expect(first.control.call("getProject", { ref }).status).toBe("COMING_UP");
    const again = await restart();
    expect(again.control.call("getProject", { ref }).status).toBe("COMING_UP");
    again.control.advance(60_000);
    expect(again.control.call("getProject", { ref }).status).toBe("ACTIVE_HEALTHY");
  });

  it("adds the organizations and tokens of the new start, and goes back to the seed with a reset", async () => {
    const first = await start({ seed: { organizations: [{ slug: "globex", name: "Globex" }] } });
    first.control.call("createOrganization", { body: { name: "Initech" } });
    const again = await restart({ seed: { tokens: [{ token: "let-me-in" }] } });
    const slugs = (): string[] => again.control.call("listOrganizations", {}).map(({ slug }) => slug);
    expect(slugs()).toEqual(["globex", "initech"]);
    expect(again.accessToken).toBe("let-me-in");
    expect((await use(again, "let-me-in")).status).toBe(200);
    expect((await use(again, first.accessToken)).status).toBe(200);
    again.control.reset();
    expect(slugs()).toEqual(["globex"]);
    const last = await restart();
    expect(last.control.call("listOrganizations", {})).toHaveLength(1);
    expect((await use(last, "let-me-in")).status).toBe(200);
    expect((await use(last, first.accessToken)).status).toBe(401);
  });

  it("forgets what was removed, and bytes that nothing holds any more", async () => {
    const first = await start();
    const ref = newProject(first);
    first.control.advance(120_000);
    const content = new Uint8Array(5_000);
    first.control.call("deployFunction", {
      ref,
      slug: "greet",
      body: { metadata: { entrypoint_path: "index.ts" }, file: [{ name: "index.ts", content }] },
    });
    first.control.edit(({ projects }) => projects.delete(ref));
    expect((await restart()).world.state.projects.size).toBe(0);
    await restart();
    await running?.close();
    running = undefined;
    const database = new DatabaseSync(file());
    expect({ ...database.prepare("SELECT count(*) AS count FROM bytes").get() }).toEqual({ count: 0 });
    database.close();
  });

  it("gives what an older emulator kept the fields that were added since", async () => {
    const first = await start();
    const ref = newProject(first);
    const { state } = first.world;
    Reflect.deleteProperty(state.projects.get(ref) ?? {}, "secrets");
    Reflect.deleteProperty(state.projects.get(ref)?.next ?? {}, "pause");
    Reflect.deleteProperty(state.oauth, "codes");
    Reflect.deleteProperty(state.auth, "signingKeyAfterMs");
    Reflect.deleteProperty(state, "samlMetadata");
    const { world } = await restart();
    expect(world.state.projects.get(ref)).toMatchObject({ secrets: new Map(), next: { pause: "INACTIVE" } });
    expect(world.state.oauth.codes).toEqual(new Map());
    expect(world.state.auth.signingKeyAfterMs).toBe(120_000);
    expect([...world.state.samlMetadata]).toEqual([]);
  });

  it("drops what an older emulator kept and this one has no more, so that an edit does not fail by it", async () => {
    const first = await start();
    const ref = newProject(first);
    Reflect.set(first.world.state.projects.get(ref)?.newer ?? {}, "jitInvitations", []);
    const { world, control } = await restart();
    expect(world.state.projects.get(ref)?.newer).not.toHaveProperty("jitInvitations");
    control.set(["projects", ref, "newer", "upgradeWarnings"], []);
  });

  it("belongs to one emulator at a time", async () => {
    const first = await start();
    await expect(startEmulator({ dataFolder: folder })).rejects.toThrow("in use by another emulator");
    expect((await use(first, first.accessToken)).status).toBe(200);
  });

  it("is free again when the emulator could not start", async () => {
    const first = await startEmulator();
    const port = Number(new URL(first.url).port);
    await expect(start({ port })).rejects.toThrow("EADDRINUSE");
    await first.close();
    await start();
  });

  it("is left alone when its file is another program's, of another format or damaged", async () => {
    writeFileSync(file(), "some notes ".repeat(1_000));
    await expect(start()).rejects.toThrow("is not an emulator's file");
    rmSync(file());
    const foreign = new DatabaseSync(file());
    foreign.exec("CREATE TABLE notes (text)");
    foreign.close();
    await expect(start()).rejects.toThrow("is not an emulator's file");
    rmSync(file());

    await start();
    for (let count = 0; count < 50; count += 1) if (running !== undefined) newProject(running);
    await running?.close();
    running = undefined;
    const whole = readFileSync(file());
    const change = (sql: string): void => {
      const database = new DatabaseSync(file());
      database.exec(sql);
      database.close();
    };
    change("PRAGMA user_version = 999");
    await expect(start()).rejects.toThrow(/format 999.*use a newer emulator/);
    writeFileSync(file(), whole);
    change("UPDATE records SET value = substr(value, 9) WHERE collection = 'projects'");
    await expect(start()).rejects.toThrow(/is damaged: projects .* cannot be read/);
    writeFileSync(file(), Buffer.concat([whole.subarray(0, 8_192), Buffer.alloc(whole.length - 8_192, 7)]));
    await expect(start()).rejects.toThrow("damaged");
    writeFileSync(file(), whole);
    expect((await start()).world.state.projects.size).toBe(50);
  });

  it("answers an error rather than what it could not keep", async () => {
    const first = await start();
    const ref = newProject(first);
    // A function cannot be kept; no edit would let it in.
    Reflect.set(first.world.state.projects.get(ref) ?? {}, "region", () => "nowhere");
    expect((await use(first, first.accessToken)).status).toBe(500);
    expect(first.control.internalErrors).not.toEqual([]);
    first.control.edit(({ projects }) => projects.delete(ref));
    expect((await use(first, first.accessToken)).status).toBe(200);
  });
});

describe("what a call saves", () => {
  let folder: string;
  let emulator: Emulator;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "emulator-data-"));
    emulator = await startEmulator({ dataFolder: folder, pace: 0 });
  });
  afterEach(async () => {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  });
  /** As a restart after a kill would find it: read beside the running emulator, from a copy. */
  async function found(): Promise<Emulator["world"]["state"]> {
    const copy = mkdtempSync(join(tmpdir(), "emulator-copy-"));
    cpSync(folder, copy, { recursive: true });
    const other = await startEmulator({ dataFolder: copy });
    await other.close();
    rmSync(copy, { recursive: true, force: true });
    return other.world.state;
  }
  const send = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(`${emulator.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${emulator.accessToken}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const newProject = (name: string): string =>
    emulator.control.call("createProject", {
      body: { name, organization_slug: "acme", db_pass: "a-password" },
    }).ref;

  it("is all that it has changed, before it is answered", async () => {
    const [kept, gone] = [newProject("kept"), newProject("gone")];
    emulator.control.advance(60_000);
    expect((await send("PATCH", `/v1/projects/${kept}`, { name: "renamed" })).status).toBe(200);
    expect((await send("POST", "/v1/organizations", { name: "Globex" })).status).toBe(201);
    expect((await found()).projects.get(kept)?.name).toBe("renamed");
    const made = await send("POST", `/v1/projects/${kept}/branches`, { branch_name: "preview" });
    const { id } = (await made.json()) as { id: string };
    expect([...(await found()).branches.keys()]).toContain(id);
    expect((await send("DELETE", `/v1/projects/${kept}/branches`)).status).toBe(200);
    expect(emulator.world.state.branches.size).toBe(0);
    expect((await found()).branches.size).toBe(0);
    expect((await send("DELETE", `/v1/projects/${gone}`)).status).toBe(200);
    // Forgotten by the look of another call.
    emulator.control.setPace(1);
    emulator.control.advance(3_600_000);
    expect((await send("GET", "/v1/projects")).status).toBe(200);
    const state = await found();
    expect([...state.projects.keys()]).toEqual([kept]);
    expect([...state.organizations.keys()]).toEqual(["acme", "hobby", "globex"]);
  });

  it("is nothing for a look through control, and what a look has found over is forgotten by the next call", async () => {
    const gone = newProject("gone");
    emulator.control.setPace(1);
    emulator.control.advance(60_000);
    emulator.control.call("deleteProject", { ref: gone });
    emulator.control.advance(3_600_000);
    expect(emulator.control.overview().organizations[0]?.projects).toEqual([]);
    emulator.control.snapshot();
    emulator.control.calls();
    emulator.control.countCalls();
    emulator.control.pendingFaults();
    expect([...(await found()).projects.keys()]).toEqual([gone]);
    expect((await send("GET", "/v1/organizations")).status).toBe(200);
    expect((await found()).projects.size).toBe(0);
  });

  it("is what an edit has changed in a record that was handed out long ago", async () => {
    const ref = newProject("shop");
    const project = emulator.world.state.projects.get(ref);
    await send("GET", "/v1/organizations");
    emulator.control.edit(() => project && (project.name = "edited"));
    expect((await found()).projects.get(ref)?.name).toBe("edited");
  });
});

describe("others on the machine", () => {
  const describeOnPosix = process.platform === "win32" ? describe.skip : describe;

  describeOnPosix("the modes of a data folder", () => {
    let parent: string;
    let umask: number;
    beforeEach(() => {
      parent = mkdtempSync(join(tmpdir(), "emulator-modes-"));
      chmodSync(parent, 0o755);
      // As it is for most users: what is made is open to all.
      umask = process.umask(0o022);
    });
    afterEach(() => {
      process.umask(umask);
      rmSync(parent, { recursive: true, force: true });
    });

    /** What somebody else may read, write or enter: the folder, and whatever lies in folders that are open. */
    function openToOthers(path: string): string[] {
      const status = statSync(path);
      if ((status.mode & 0o077) === 0 && path !== parent) return [];
      const inside = status.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
      return [path, ...inside.flatMap(openToOthers)];
    }

    /** Files that stay open to others when they are moved out of their folder. */
    function openFilesOf(path: string): string[] {
      return readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .filter((file) => (statSync(file, { throwIfNoEntry: false })?.mode ?? 0) & 0o077);
    }

    it("is closed to others while the emulator runs and afterwards, databases and copies included", async () => {
      const folder = join(parent, "not", "there", "yet");
      const emulator = await startEmulator({ dataFolder: folder, clock: new MovableClock() });
      const { ref } = emulator.control.call("createProject", {
        body: { name: "shop", organization_slug: "acme", db_pass: "a-password" },
      });
      emulator.control.advance(120_000);
      await emulator.control.call("runQuery", { ref, body: { query: "create table t ()" } });
      emulator.control.call("createBranch", { ref, body: { branch_name: "preview", with_data: true } });
      emulator.control.advance(60_000);
      await emulator.control.call("runQuery", { ref, body: { query: "select 1" } });
      expect(existsSync(join(folder, "emulator.db-wal"))).toBe(true);
      expect(readdirSync(join(folder, "databases")).length).toBeGreaterThan(1);
      expect(openFilesOf(join(folder, "databases"))).toEqual([]);
      // Each by itself, so that one that is moved elsewhere stays closed.
      const kept = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
      expect(kept.flatMap(openToOthers)).toEqual([]);
      await emulator.close();
      expect(openToOthers(folder)).toEqual([]);
    });

    it("is closed when it was open to others", async () => {
      const folder = join(parent, "open");
      const first = await startEmulator({ dataFolder: folder });
      await first.close();
      chmodSync(folder, 0o755);
      chmodSync(join(folder, "emulator.db"), 0o644);
      mkdirSync(join(folder, "databases"), { mode: 0o755 });
      const again = await startEmulator({ dataFolder: folder });
      const kept = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
      expect(kept.flatMap(openToOthers)).toEqual([]);
      await again.close();
    });

    it("stays as it is when it holds other things, and the emulator's files are closed all the same", async () => {
      writeFileSync(join(parent, "notes.txt"), "of somebody else");
      const emulator = await startEmulator({ dataFolder: parent });
      expect(openToOthers(parent).sort()).toEqual([parent, join(parent, "notes.txt")]);
      await emulator.close();
    });
  });
});
