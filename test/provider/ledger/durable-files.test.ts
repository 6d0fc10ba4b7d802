import { subscribe, unsubscribe } from "node:diagnostics_channel";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { OwnerRecords } from "../../../provider/ledger/owner-records";
import { openDurableFiles } from "../../../provider/ledger/durable-files";
import { apiKey } from "../../../provider/resources/auth/api-key/api-key";
import { openRefreshTokenFile } from "../../../provider/process/refresh-token-file";
import { temporaryFolder } from "../../kit/temporary-folder";
import { startScenario } from "../../kit/scenario";

/** What happens to files, and which writes leave, in their order. */
const events: string[] = [];
let folder: string;

beforeEach(() => {
  folder = temporaryFolder("management-kept-files-");
  events.length = 0;
  const { renameSync, openSync, fsyncSync } = fs;
  const opened = new Map<number, string>();
  jest.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    renameSync(from, to);
    events.push(`rename to ${kindOf(String(to))}`);
  });
  jest.spyOn(fs, "openSync").mockImplementation((...of) => {
    const file = openSync(...of);
    opened.set(file, String(of[0]));
    return file;
  });
  jest.spyOn(fs, "fsyncSync").mockImplementation((file) => {
    fsyncSync(file);
    const of = opened.get(file) ?? "";
    events.push(of.endsWith(".draft") ? `sync ${kindOf(of)}` : `sync folder ${basename(of)}`);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  fs.rmSync(folder, { recursive: true, force: true });
});

function kindOf(file: string): string {
  return `${basename(dirname(file)).replace(/^[0-9a-f]{32}$/, "stack")}/${file.endsWith(".draft") ? "draft" : "file"}`;
}

const WRITTEN = (of: string): string[] => [`sync ${of}/draft`, `rename to ${of}/file`, `sync folder ${of}`];

it("are on the disk, with the folders that they are in, before the write has returned", () => {
  const files = openDurableFiles(join(folder, "one", "two"), z.object({ value: z.number() }));
  files.write("name.json", { value: 1 });
  expect(events).toEqual(["sync folder one", `sync folder ${basename(folder)}`, ...WRITTEN("two")]);
  expect(files.read("name.json")).toEqual({ value: 1 });
  events.length = 0;
  files.write("name.json", { value: 2 });
  expect(events).toEqual(WRITTEN("two"));
});

it("hold who has an object, and the refresh token, in the same way", () => {
  const claim = { type: "ApiKey", owner: "one", stack: undefined, parent: "", scope: "", record: "" };
  new OwnerRecords(folder).add({ ...claim, id: "1", isShared: false }, {}, 0);
  expect(events).toEqual([`sync folder ${basename(folder)}`, ...WRITTEN("holders")]);
  events.length = 0;
  const connection = {
    baseUrl: "https://api.example",
    credentials: { kind: "oauth", clientId: "id", clientSecret: "secret", refreshToken: "token" },
  } as const;
  const kept = openRefreshTokenFile(folder, connection, () => undefined);
  kept?.write("newer", { accessToken: "access", renewAtMs: 0 });
  expect(events).toEqual([`sync folder ${basename(folder)}`, ...WRITTEN("oauth")]);
  expect(kept?.read()).toBe("newer");
});

it("hold what a create is about to send before its request leaves, and its answer afterwards", async () => {
  const scenario = await startScenario();
  const projectRef = scenario.healthyProject();
  const onHeaders = (message: unknown): void => {
    // Undici tells nothing else on this channel.
    const { request } = message as { readonly request: { readonly method: string } };
    if (request.method === "POST") events.push("the request leaves");
  };
  subscribe("undici:client:sendHeaders", onHeaders);
  try {
    events.length = 0;
    await scenario.manage(apiKey).create({ projectRef, type: "secret", name: "backend" });
    const stack = events.filter((event) => event.includes("stack/") || event === "the request leaves");
    expect(stack).toEqual([
      "sync stack/draft",
      "rename to stack/file",
      "the request leaves",
      "sync stack/draft",
      "rename to stack/file",
    ]);
    const [renamed, left] = ["rename to stack/file", "the request leaves"].map((event) =>
      events.indexOf(event),
    );
    expect(events.slice((renamed ?? 0) + 1, left)).toEqual([
      expect.stringMatching(/^sync folder [0-9a-f]{32}$/),
    ]);
  } finally {
    unsubscribe("undici:client:sendHeaders", onHeaders);
    await scenario.close();
  }
});

describe("a folder of the user's state", () => {
  const fileOf = (path: string): string => join(path, "one.json");
  const keep = (path: string): void =>
    openDurableFiles(path, z.object({ value: z.number() })).write("one.json", { value: 1 });
  /** What was made so far is another user's from now on. */
  const becomeAnother = (): void => {
    const uid = process.getuid?.() ?? 0;
    jest.spyOn(process, "getuid").mockReturnValue(uid + 1);
  };

  it("is closed before something is written, with those of ours that it is in, and no other one", () => {
    const path = join(folder, "state", "pulumi-management", "creates");
    fs.mkdirSync(path, { recursive: true });
    for (const each of [path, dirname(path), dirname(dirname(path))]) fs.chmodSync(each, 0o777);
    keep(path);
    const modes = [path, dirname(path), dirname(dirname(path))].map((each) => fs.statSync(each).mode & 0o777);
    expect(modes).toEqual([0o700, 0o700, 0o777]);
  });

  it("of another user is neither written nor believed", () => {
    const path = join(folder, "pulumi-management", "creates");
    keep(path);
    becomeAnother();
    expect(() => keep(path)).toThrow(
      /belongs to another user.* Set XDG_STATE_HOME to a folder that belongs to you/,
    );
    expect(openDurableFiles(path, z.object({ value: z.number() })).read("one.json")).toBeUndefined();
    expect(fs.readFileSync(fileOf(path), "utf8")).toBe('{"value":1}');
  });

  it.each(["create", "update", "delete"] as const)(
    "of another user stops a %s before it sends anything",
    async (step) => {
      const scenario = await startScenario();
      try {
        const managed = scenario.manage(apiKey);
        const inputs = { projectRef: scenario.healthyProject(), type: "secret", name: "backend" };
        const made = await managed.create(inputs);
        scenario.nextRun();
        scenario.emulator.control.clearCalls();
        becomeAnother();
        scenario.nextRun();
        const steps = {
          create: () => managed.create({ ...inputs, name: "other" }),
          update: () => managed.update(made, { ...inputs, description: "other" }),
          delete: () => managed.delete(made),
        };
        await expect(steps[step]()).rejects.toThrow("Set XDG_STATE_HOME");
        expect(scenario.emulator.control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
      } finally {
        await scenario.close();
      }
    },
  );
});
