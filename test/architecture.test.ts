import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "../spec/table";
import { plans } from "../tools/coverage/plans";
import { usersOfOperations } from "../tools/coverage/users";

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

describe("a command", () => {
  it("has no option that Node.js reads itself, which ends where the file is missing (nodejs/node#54232)", () => {
    const sources = ["import", "previews", "provider", "emulator", "trace"].flatMap((folder) =>
      readdirSync(join(__dirname, "..", folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.includes("node_modules") && !name.startsWith("dist"))
        .map((name) => join(__dirname, "..", folder, name)),
    );
    const options = sources.flatMap((file) => readFileSync(file, "utf8").match(/"--[a-z][^"\s]*/g) ?? []);
    expect(options.length).toBeGreaterThan(50);
    expect(options.filter((option) => option.startsWith('"--env-file'))).toEqual([]);
  });
});

describe("a test file", () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".test.ts"),
  );

  it("has a part in each tier exactly where its name says so, as the tiers find it by its name", () => {
    const sliced = files.filter((file) =>
      /\b(?:inTier|samplesInTier)\(/.test(readFileSync(join(__dirname, file), "utf8")),
    );
    expect(sliced.sort()).toEqual(files.filter((file) => file.endsWith(".sliced.test.ts")).sort());
  });
});
