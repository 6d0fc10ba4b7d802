import { lstatSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendOwnFile, writeOwnFile } from "../../../provider/core/own-file";
import { temporaryFolder } from "../../kit/temporary-folder";

let path: string;
beforeEach(() => (path = temporaryFolder("own-file-")));
afterEach(() => rmSync(path, { recursive: true }));
const at = (name: string): string => join(path, name);
const modeOf = (name: string): number => statSync(at(name)).mode & 0o777;

it("a file that is written is its user's alone, whatever was there", () => {
  writeFileSync(at("new.json"), "old", { mode: 0o666 });
  writeOwnFile(at("new.json"), "new");
  expect([readFileSync(at("new.json"), "utf8"), modeOf("new.json")]).toEqual(["new", 0o600]);
});

it("what a link leads to is not written", () => {
  writeFileSync(at("victim"), "stays");
  symlinkSync(at("victim"), at("link"));
  writeOwnFile(at("link"), "new");
  expect(readFileSync(at("victim"), "utf8")).toBe("stays");
  expect(lstatSync(at("link")).isFile()).toBe(true);
});

it("a file that is appended to becomes its user's alone", () => {
  appendOwnFile(at("trace"), "1\n");
  expect(modeOf("trace")).toBe(0o600);
  writeFileSync(at("open"), "0\n", { mode: 0o644 });
  appendOwnFile(at("open"), "1\n");
  expect([readFileSync(at("open"), "utf8"), modeOf("open")]).toEqual(["0\n1\n", 0o600]);
});

it("what a link leads to is not appended to", () => {
  writeFileSync(at("victim"), "stays");
  symlinkSync(at("victim"), at("link"));
  expect(() => appendOwnFile(at("link"), "1\n")).toThrow("ELOOP");
  expect(readFileSync(at("victim"), "utf8")).toBe("stays");
});

it("a device is written to as it is", () => {
  writeOwnFile("/dev/null", "x");
  appendOwnFile("/dev/null", "x");
  expect(lstatSync("/dev/null").isCharacterDevice()).toBe(true);
});
