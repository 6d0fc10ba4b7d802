import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../../../emulator/machine/cache-folder";
import { closeFolder, isOwnFolder, makeOwnFolder } from "../../../provider/core/own-folder";
import { temporaryFolder } from "../../kit/temporary-folder";

let folder: string;
const environment = process.env;
beforeEach(() => {
  folder = temporaryFolder("own-folder-");
});
afterEach(() => {
  process.env = environment;
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const made = (mode: number): string => {
  const path = join(folder, "made");
  mkdirSync(path);
  chmodSync(path, mode);
  return path;
};
/** What this user has made is another user's from now on. */
const becomeAnother = (): void => {
  const uid = process.getuid?.() ?? 0;
  jest.spyOn(process, "getuid").mockReturnValue(uid + 1);
};
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe("a folder for what is believed unchecked", () => {
  it("is made for its user alone", () => {
    const path = join(folder, "one", "two");
    expect(makeOwnFolder(path)).toBe(path);
    expect(modeOf(path)).toBe(0o700);
  });

  it.each([0o700, 0o755, 0o750])("is used if nobody else can write to it: %o", (mode) => {
    const path = made(mode);
    expect(makeOwnFolder(path)).toBe(path);
  });

  it.each([0o777, 0o770, 0o722, 0o1777])("is not used if others can: %o", (mode) => {
    expect(makeOwnFolder(made(mode))).toBeUndefined();
  });

  it("is not used if it is another user's, a link, or cannot be made", () => {
    const path = made(0o700);
    symlinkSync(path, join(folder, "link"));
    expect(makeOwnFolder(join(folder, "link"))).toBeUndefined();
    expect(makeOwnFolder("/dev/null/folder")).toBeUndefined();
    becomeAnother();
    expect(makeOwnFolder(path)).toBeUndefined();
    expect(isOwnFolder(path)).toBe(false);
  });

  it("holds the emulator's compiled code and databases, in the user's cache", () => {
    process.env = { ...environment, XDG_CACHE_HOME: folder };
    const path = join(folder, "management-emulator");
    expect(cacheFolder()).toBe(path);
    chmodSync(path, 0o777);
    expect(cacheFolder()).toBeUndefined();
  });
});

describe("a folder of state", () => {
  it("is closed to others", () => {
    const path = made(0o777);
    expect(closeFolder(path)).toBe(true);
    expect(modeOf(path)).toBe(0o700);
  });

  it("need not be there, and must not be another user's", () => {
    expect(closeFolder(join(folder, "absent"))).toBe(true);
    const path = made(0o777);
    becomeAnother();
    expect(closeFolder(path)).toBe(false);
    expect(modeOf(path)).toBe(0o777);
  });
});
