import type { ComponentDefinition } from "../../../provider/define/component";
import type { AnyFunction } from "../../../provider/define/function";
import { isReplacedOnChange, listMarkedFields } from "../../../provider/define/markers";
import type { AnyResource } from "../../../provider/define/resource";
import { codes, pageName, paragraphs, section, table } from "./markdown";

/** Resources, and the actions among them. */
export function partition(all: readonly AnyResource[]): [kept: AnyResource[], actions: AnyResource[]] {
  return [all.filter(({ isAction }) => isAction !== true), all.filter(({ isAction }) => isAction === true)];
}

/** What has a page. */
interface Indexed {
  readonly resources: readonly AnyResource[];
  readonly components: readonly ComponentDefinition[];
  readonly functions: readonly AnyFunction[];
}

/** The reference's first page. */
export function indexPage({ resources, components, functions }: Indexed): string {
  const [kept, actions] = partition(resources);
  return paragraphs(
    "# Reference",
    "A page for each resource, action, component and function. [Common to all pages](common.md): the columns and notes of the tables, timeouts, imports, adoption, permissions and common errors. A change of `projectRef` always replaces a resource.",
    section(
      2,
      "Resources",
      table(
        ["Resource", "Description", "Replaced when these change"],
        byRank(kept).map(({ type, description, inputs }) => [
          `[${type}](resources/${pageName(type)}.md)`,
          firstSentence(description),
          codes(replacingInputs(inputs)) || "–",
        ]),
      ),
    ),
    section(
      2,
      "Actions",
      table(
        ["Action", "Description"],
        actions.map(({ type, description }) => [
          `[${type}](resources/${pageName(type)}.md)`,
          firstSentence(description),
        ]),
      ),
    ),
    section(
      2,
      "Components",
      table(
        ["Component", "Description"],
        components.map(({ type, description }) => [
          `[${type}](components/${pageName(type)}.md)`,
          firstSentence(description),
        ]),
      ),
    ),
    section(
      2,
      "Functions",
      table(
        ["Function", "Description"],
        functions.map(({ name, description }) => [
          `[${name}](functions/${pageName(name)}.md)`,
          firstSentence(description),
        ]),
      ),
    ),
  );
}

/** What a program begins with comes first: what belongs to no project. */
function byRank(resources: readonly AnyResource[]): AnyResource[] {
  return resources.toSorted((a, b) => Number(isInProject(a)) - Number(isInProject(b)));
}

function isInProject({ inputs }: AnyResource): boolean {
  return "projectRef" in inputs.shape;
}

/** Without `projectRef`, which replaces every resource that has it. */
function replacingInputs(inputs: AnyResource["inputs"]): string[] {
  return listMarkedFields(inputs).flatMap(([name, , traits]) =>
    isReplacedOnChange(traits) && name !== "projectRef" ? name : [],
  );
}

/** Up to the first full stop that ends a sentence. */
export function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}
