import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fault } from "../../emulator/control/control-routes";
import { shapeText } from "../../emulator/control/shape-text";
import { schemaAt } from "../../emulator/control/state-shape";

const page = readFileSync(join(__dirname, "..", "..", "docs", "emulator.md"), "utf8");
const blocks = [...page.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);

/** Keys that stand for one of many in the page's paths, with one that is right in each. */
const examples: Readonly<Record<string, string>> = { "<region>": "eu-west-1", "<plan>": "free" };

function shapeAt(path: string): string {
  const schema = schemaAt(path.split(".").map((key) => examples[key] ?? key));
  if (schema === undefined) throw new Error(`Nothing lies at ${path} in the state`);
  return shapeText(schema);
}

/** As the page spells it: long choices one below the other. */
function spelt(name: string, shape: string): string {
  if (`${name}: ${shape}`.length <= 110) return `${name}: ${shape}\n`;
  // Not within braces or brackets, which hold one shape.
  const options = shape.split(/ \| (?![^{(]*[})])/);
  const lines = options.length > 1 ? options.map((option) => `| ${option}`) : options;
  return `${name}:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

describe("the page on the emulator", () => {
  const start = page.indexOf("| path in the state");
  const table = page.slice(start, page.indexOf("\n\n", start));
  const firstCells = table
    .split("\n")
    .slice(2)
    .map((row) => row.split(" | ")[0] ?? "");
  const paths = firstCells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path));

  it("tells the shape of everything that its table says can be edited", () => {
    expect(paths.length).toBeGreaterThan(15);
    expect(blocks[0]).toBe(paths.map((path) => spelt(path, shapeAt(path))).join(""));
  });

  it("tells what a fault is made of", () => {
    const fields = Object.entries(fault.shape).map(([name, field]) => spelt(`${name}?`, shapeText(field)));
    expect(blocks[1]).toBe(fields.join(""));
  });
});
