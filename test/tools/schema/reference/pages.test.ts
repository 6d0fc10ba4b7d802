import { z } from "zod";
import { functions, resources } from "../../../../provider/catalog";
import { diffInputs } from "../../../../provider/lifecycle/diff";
import { examples } from "../../../../tools/schema/examples/examples.generated";
import { surface } from "../../../../tools/schema/package-schema";
import { sampleImportId } from "../../../../tools/schema/reference/import-section";
import { pageName } from "../../../../tools/schema/reference/markdown";
import { referencePages } from "../../../../tools/schema/reference/pages";
import { recordedCalls } from "../../../../tools/generate/recorded-calls";
import { getToyBox, toy } from "./toy-definitions";

const pages = referencePages({ ...surface, examples, callsOf: recordedCalls });

const toyPages = referencePages({
  resources: [toy],
  functions: [getToyBox],
  config: z.strictObject({}),
  examples: {
    ToyBox: {
      config: { password: "secret" },
      declares: { box: { resource: "ToyBox", properties: { label: "box", password: "${password}" } } },
    },
  },
  callsOf: () => ({ listBranches: ["create", "read"], reverifyCustomHostname: ["update"] }),
});
const toyPage = toyPages["resources/toy-box.md"] ?? "";
const functionPage = toyPages["functions/get-toy-box.md"] ?? "";

/** The text below a heading, up to the next one of its level. */
function below(page: string, heading: string): string {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start === -1) return "";
  const end = page.indexOf("\n## ", start + 1);
  return page.slice(start, end === -1 ? undefined : end);
}

/** The cells of the row that begins with that name. */
function rowOf(text: string, name: string): string[] {
  const line = text.split("\n").find((each) => each.startsWith(`| \`${name}\` |`)) ?? "";
  return line
    .split(/(?<!\\)\|/)
    .slice(2, -1)
    .map((cell) => cell.trim());
}

describe("the page of a resource", () => {
  it.each([
    ["projectRef", "string", "yes", "", "a change replaces"],
    ["label", "string", "in the dynamic classes", "", "named by the plugin when left out"],
    ["size", "`one` or `two`", "no", '`"one"`', ""],
    ["colour", "enum", "no", "", ""],
    ["fixed", "string", "no", "", "a change replaces, deleting first"],
    ["password", "string", "yes", "", "secret, never returned by the service"],
    ["toys", "map of object", "no", "", ""],
    ["pin", "string", "yes", "secret", "Pin."],
    ["hurry", "boolean", "no", "", "option of the provider, not sent"],
    ["origin", "string", "no", "", "used while creating only"],
    ["timeouts", "object", "no", "", "option of the provider, not sent, dynamic classes only"],
    ["update", "integer", "no", "`600`", "Seconds that updating may take, waiting included."],
    ["adopt", "boolean", "no", "", "used while creating only"],
  ])("tells of the input %s its type, need, default and marks", (name, type, required, byDefault, notes) => {
    expect(rowOf(below(toyPage, "Inputs"), name).slice(0, 4)).toEqual([type, required, byDefault, notes]);
  });

  it("does not offer what check computes", () => {
    expect(toyPage).not.toContain("checksum");
  });

  it("lists long enumerations and nested objects apart, and escapes what would end a cell", () => {
    const inputs = below(toyPage, "Inputs");
    expect(inputs).toContain("Values of `colour`: `scarlet`, `vermilion`,");
    expect(inputs).toContain("### `toys.<key>`");
    expect(inputs).toContain("Colour \\| of the box.");
  });

  it("marks outputs that are secret and that never change", () => {
    const outputs = below(toyPage, "Outputs");
    expect(rowOf(outputs, "boxId")).toEqual(["string", "never changes", "Identifier."]);
    expect(rowOf(outputs, "keys")).toEqual(["list of string", "secret", "Keys."]);
    expect(rowOf(outputs, "weight")[0]).toBe("number");
    expect(rowOf(outputs, "count")[0]).toBe("integer");
    expect(outputs).toContain("`id`, which equals `boxId`");
  });

  it("says what replaces and in which order", () => {
    const text = below(toyPage, "Replacement");
    expect(text).toContain("A change of `projectRef`, `seed` replaces");
    expect(text).toContain("A change of `fixed` replaces it too, but deletes the old one first");
    expect(text).toContain("A replacement that keeps `label` deletes the old one first");
  });

  it("gives the import id with an example, and what an import cannot bring", () => {
    const text = below(toyPage, "Import");
    expect(text).toContain(`pulumi import management:index:ToyBox example '${sampleImportId(toy)}'`);
    expect(text).toContain("only one: `projectRef`, `label`, `fixed`.");
    expect(text).toContain("does not show `password`, so an import leaves it out");
    expect(text).toContain("does not show `seed`: leave it out");
    expect(text).toContain("left to the program: `hurry`.");
  });

  it("lists each operation with its request, steps, scope, alternative permissions, label and limit", () => {
    const text = below(toyPage, "Permissions");
    expect(rowOf(text, "listBranches")).toEqual([
      "`GET /v1/projects/{ref}/branches`",
      "create, read",
      "`environment:read`",
      "`branching_production_read`, or `branching_development_read`",
      "",
      "",
    ]);
    expect(rowOf(text, "reverifyCustomHostname").slice(-2)).toEqual(["beta", "10 in 60 s"]);
  });

  it("lists the errors that its code can give, and no other", () => {
    const errors = below(toyPage, "Errors");
    expect(errors).toContain(
      "| “The toy box … is stuck” | The lid is shut. | Open `…`, or wait. A key helps. |",
    );
    expect(errors).toContain("“Gave up waiting for … at the deadline; last seen: …”");
    expect(errors).toContain("exists already:");
    expect(errors).not.toContain("SAML");
  });

  it("shows the example in three languages, and what it needs to be set", () => {
    const text = below(toyPage, "Example");
    expect(text).toContain('new management.ToyBox("box", {');
    expect(text).toContain("type: management:index:ToyBox");
    expect(text).toContain("management.ToyBox(\n");
    expect(text).toContain("pulumi config set --secret password …");
  });
});

describe("the page of a function", () => {
  it("has arguments, results with their secrets, permissions and errors, and nothing of a resource's life", () => {
    expect(rowOf(below(functionPage, "Arguments"), "label")).toEqual(["string", "yes", "Label of the box."]);
    expect(rowOf(below(functionPage, "Result"), "keys")).toEqual(["list of string", "secret", "Keys."]);
    expect(rowOf(below(functionPage, "Result"), "boxId")).toEqual(["string", "", "Identifier."]);
    expect(below(functionPage, "Permissions")).toContain("listBranches");
    expect(below(functionPage, "Errors")).not.toContain("exists already:");
    expect(below(functionPage, "Result")).toContain("`getToyBoxOutput()` makes all of it a Pulumi secret");
    expect(functionPage).not.toMatch(/## (Import|Timeouts|Adoption|Replacement)/);
  });
});

describe("the index", () => {
  it("leads to every page with its first sentence", () => {
    const index = toyPages["README.md"] ?? "";
    expect(index).toContain("| [ToyBox](resources/toy-box.md) | A box of toys. | `<projectRef>/<boxId>` |");
    expect(index).toContain("| [getToyBox](functions/get-toy-box.md) | Reads a box. |");
  });
});

describe("the reference of the catalog", () => {
  it("has a page for everything", () => {
    expect(Object.keys(pages).sort()).toEqual(
      [
        "README.md",
        ...resources.map(({ type }) => `resources/${pageName(type)}.md`),
        ...functions.map(({ name }) => `functions/${pageName(name)}.md`),
      ].sort(),
    );
  });

  it.each(resources.map((one) => [one.type, one] as const))(
    "gives %s an import id that fits its form",
    (_, one) => {
      expect(one.importId.parse(sampleImportId(one))).toBeDefined();
    },
  );

  it("tells of an error only where it can come up", () => {
    const pagesWith = (says: string): string[] =>
      Object.keys(pages).filter((path) => pages[path]?.includes(says));
    expect(pagesWith("“The service does not list the project's SSO providers")).toEqual([
      "resources/sso-provider.md",
      "functions/get-sso-providers.md",
    ]);
    expect(pagesWith("“The project has a standby signing key already, … (…), ")).toEqual([
      "resources/signing-key.md",
    ]);
    expect(pagesWith("“The branch … is the default branch: it stands for the project … itself")).toEqual([
      "resources/branch.md",
    ]);
    expect(pagesWith("“The access token is wrong, expired or revoked")).toEqual(["README.md"]);
  });

  it("is right that declaring what an import could not see replaces, where a change of it does", () => {
    const key = resources.find(({ type }) => type === "SigningKey");
    if (key === undefined) throw new Error("There is no SigningKey.");
    const imported = {
      projectRef: "abcdefghijklmnopqrst",
      algorithm: "ES256",
      __declared: ["algorithm", "projectRef"],
    };
    const { replaces } = diffInputs(key, imported, {
      projectRef: "abcdefghijklmnopqrst",
      algorithm: "ES256",
      privateJwk: { kty: "EC" },
    });
    expect(replaces).toEqual(["privateJwk"]);
  });
});
