import { examples } from "../../../tools/schema/examples/examples.generated";
import { packageSchema } from "../../../tools/schema/package-schema";
import { registrySchema } from "../../../tools/schema/registry-schema";
import { manifest } from "./toy-surface";

const LANGUAGES = ["typescript", "python", "go", "csharp", "java", "yaml"];
const plain = packageSchema(manifest);
const schema = registrySchema(plain, examples);

/** The languages of the blocks between the marks of the chooser. */
function languagesIn(description: string): string[] {
  const [, chooser = ""] =
    /<!--Start PulumiCodeChooser -->\n(.*)<!--End PulumiCodeChooser -->/s.exec(description) ?? [];
  return [...chooser.matchAll(/^```(\w+)$/gm)].flatMap((match) => match[1] ?? []);
}

describe("the schema for a registry", () => {
  it("has an example in every language for each resource and function", () => {
    const lacking = Object.entries({ ...schema.resources, ...schema.functions }).filter(
      ([, { description }]) => languagesIn(description).join() !== LANGUAGES.join(),
    );
    expect(lacking.map(([token]) => token)).toEqual([]);
  });

  it("keeps each description before its example, and how a resource is imported after it", () => {
    const token = "management:index:Secret";
    const [before, after] = (schema.resources[token]?.description ?? "").split(
      /\n\n## Example Usage\n\n<!--Start.*End PulumiCodeChooser -->/s,
    );
    expect(`${before}${after}`).toBe(plain.resources[token]?.description);
    expect(after).toMatch(/^\n\n## Import\n/);
  });

  it("uses the generated SDK in TypeScript, which is another package than the dynamic classes", () => {
    expect(schema.functions["management:index:getProject"]?.description).toContain(
      'import * as management from "pulumi-management-sdk";',
    );
  });

  it("is otherwise the schema of the plugin", () => {
    const withoutText = (text: object): unknown =>
      JSON.parse(JSON.stringify(text, (key, value: unknown) => (key === "description" ? "" : value)));
    expect(withoutText(schema)).toEqual(withoutText(plain));
  });
});
