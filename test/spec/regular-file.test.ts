import { mkdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { importWorld } from "../../emulator/desk/worlds/import-world";
import { readSeedFile } from "../../emulator/desk/seeding/read-seed-file";
import { readElsewhereConfig, readElsewhereTerraform } from "../../import/elsewhere";
import { readCiEvent } from "../../previews/ci/event";
import { readOpenPullRequests } from "../../previews/open-pull-requests";
import { run as runPreviews } from "../../previews/run";
import { readRunReport } from "../../previews/run-report";
import { readNames } from "../../spec/names/read-names";
import { readTrace } from "../../trace/trace";
import { temporaryFolder } from "../kit/temporary-folder";
import { useFifo } from "../lifecycle/functions/fifo";

const fifo = useFifo();
let folder: string;
const environment = process.env;
beforeEach(() => {
  folder = temporaryFolder("regular-file-");
});
afterEach(() => {
  process.env = environment;
  rmSync(folder, { recursive: true });
});

const of = () => ({ projectRef: "abcdefghijklmnopqrst", env: {}, out: folder, generation: undefined });
const event = (GITHUB_EVENT_PATH: string) => ({
  ...{ GITHUB_ACTIONS: "true", GITHUB_EVENT_NAME: "pull_request", GITHUB_EVENT_PATH },
});
async function comment(file: string): Promise<void> {
  let said = "";
  const add = (line: string): void => void (said += line);
  process.env = {
    ...environment,
    GITHUB_ACTIONS: "true",
    GITHUB_REPOSITORY: "acme/shop",
    GITHUB_TOKEN: "token",
  };
  const code = await runPreviews(["comment", "--number", "1", "--file", file], { out: add, err: add });
  if (code !== 0) throw new Error(said);
}

/** Everything that reads a file which a person or another program named, but for those of a program: they have their own tests. */
const READERS: readonly (readonly [string, (file: string) => unknown])[] = [
  ["a names file", (file) => readNames(file)],
  ["a trace", (file) => readTrace(file)],
  ["a seed file of the emulator", (file) => readSeedFile(file)],
  ["a world file", (file) => importWorld(file, join(folder, "world"))],
  ["a state of Terraform", (file) => readElsewhereTerraform(file, of())],
  ["a configuration file", (file) => readElsewhereConfig(file, of())],
  ["a list of pull requests", (file) => readOpenPullRequests(file, false)],
  ["an event of a forge", (file) => readCiEvent(event(file))],
  ["the text of a comment", comment],
];

async function reasonOf(read: () => unknown): Promise<string> {
  try {
    await read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return "it was read";
}

it.each(READERS)("%s is refused where it is no file, and not opened", async (_, read) => {
  const [pipe, socket, directory] = ["pipe", "socket", "directory"].map((name) => join(folder, name));
  fifo(pipe ?? "");
  mkdirSync(directory ?? "");
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(socket, resolve));
  const reasons = [];
  for (const path of [pipe, socket, "/dev/zero"]) reasons.push(await reasonOf(() => read(path ?? "")));
  reasons.push(await reasonOf(() => read(directory ?? "")));
  await new Promise((resolve) => void server.close(resolve));
  const irregular = expect.stringContaining("not a regular file") as string;
  expect(reasons).toEqual([
    ...[irregular, irregular, irregular],
    expect.stringContaining("a folder, not a file") as string,
  ]);
});

it("what a run leaves for the next command counts as absent there", () => {
  const pipe = join(folder, "pipe");
  fifo(pipe, '{"changes":[]}');
  expect(readRunReport(pipe)).toBeUndefined();
});
