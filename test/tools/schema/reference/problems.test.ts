import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { allFunctions, allResources } from "../../../../provider/catalog/catalog";
import { findableProblems, resourceProblems } from "../../../../provider/engine/step/problems";
import { everyCall, collectProblems } from "../../../../tools/schema/reference/error-table";
import { requireListed } from "../../../kit/listed-problems";
import { getToyBox } from "./toy-definitions";

const provider = join(__dirname, "../../../../provider");
const sources = readdirSync(provider, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => [file, readFileSync(join(provider, file), "utf8")] as const);
const defined = sources.flatMap(([file, text]) =>
  [...text.matchAll(/(\w+): defineProblem\(/g)].map(([, name = ""]) => [name, file] as const),
);

describe("each problem", () => {
  const listed = new Set(
    [
      everyCall,
      ...allResources().map(collectProblems),
      ...allFunctions().map(({ problems = {} }) => problems),
    ].flatMap((each) => Object.keys(each)),
  );

  it.each(defined)("“%s” of %s is listed on a page", (name) => {
    expect([...listed]).toContain(name);
  });

  it.each(defined)("“%s” of %s is what some message is made of", (name) => {
    const told = new RegExp(`\\b${name}\\.message\\(|= [\\w.]*problems\\.${name};`, "i");
    // Chosen from several, or passed on, before its message is made; where problems are listed, that is no use of one.
    const chosen = new RegExp(`[:?,] [\\w.]*problems\\.${name}\\b`, "i");
    const uses = sources.filter(
      ([file, text]) => told.test(text) || (!file.endsWith("problems.ts") && chosen.test(text)),
    );
    expect(uses).not.toEqual([]);
  });
});

describe.each(allResources().map((resource) => [resource.type, resource] as const))(
  "the page of %s",
  (_, resource) => {
    it("lists what can go wrong with every resource beside what can with it alone", () => {
      const common = { ...resourceProblems, ...(resource.find === undefined ? {} : findableProblems) };
      expect(Object.values(collectProblems(resource))).toEqual(expect.arrayContaining(Object.values(common)));
    });
  },
);

describe("a test that meets a problem", () => {
  it("fails where the definition does not list it", () => {
    const message =
      "The project already has a standby signing key, 1 (ES256), and can have only one. Nothing was created.";
    expect(() => {
      requireListed(getToyBox, message);
    }).toThrow("getToyBox fails with a problem that its definition does not name among its `problems`");
  });
});
