import { subscribe, unsubscribe } from "node:diagnostics_channel";
import fs from "node:fs";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { createObjectOwners } from "../../provider/lifecycle/ownership/object-owners";
import { durableFiles } from "../../provider/lifecycle/durable-files";
import { apiKey } from "../../provider/resources/auth/api-key/api-key";
import { refreshTokenFile } from "../../provider/process/refresh-token-file";
import { temporaryFolder } from "../kit/temporary-folder";
import { startScenario } from "../kit/scenario";

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
  const files = durableFiles(join(folder, "one", "two"), z.object({ value: z.number() }));
  files.write("name.json", { value: 1 });
  expect(events).toEqual(["sync folder one", `sync folder ${basename(folder)}`, ...WRITTEN("two")]);
  expect(files.read("name.json")).toEqual({ value: 1 });
  events.length = 0;
  files.write("name.json", { value: 2 });
  expect(events).toEqual(WRITTEN("two"));
});

it("hold who has an object, and the refresh token, in the same way", () => {
  createObjectOwners(folder).add({ type: "ApiKey", scope: "", id: "1" }, { owner: "one", shared: {} }, 0);
  expect(events).toEqual([`sync folder ${basename(folder)}`, ...WRITTEN("holders")]);
  events.length = 0;
  const connection = {
    baseUrl: "https://api.example",
    credentials: { kind: "oauth", clientId: "id", clientSecret: "secret", refreshToken: "token" },
  } as const;
  const kept = refreshTokenFile(folder, connection, () => undefined);
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
