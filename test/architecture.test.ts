import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { operations } from "../spec/table";
import { plans } from "../tools/coverage/plans";
import { usersOfOperations } from "../tools/coverage/users";

const root = dirname(__dirname);

describe("the operation table", () => {
  it("has no entry that the provider does not use, unless it says what will or why nothing does", () => {
    const users = usersOfOperations();
    const idle = Object.keys(operations).filter((name) => !users.has(name) && !(name in plans));
    expect(idle).toEqual([]);
  });

  it("is ordered by method and path without a double", () => {
    const shapes = Object.values(operations).map(({ method, path }) => `${method} ${path}`);
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([]);
  });
});

describe("the emulator's root", () => {
  it("has at most eight files", () => {
    const files = readdirSync(join(root, "emulator"), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
    const advice =
      "The emulator's root has at most eight files: put a new one into a room, a folder beside them";
    const complaint = files.length > 8 ? `${advice}. It has ${files.join(", ")}` : undefined;
    expect(complaint).toBeUndefined();
  });
});
