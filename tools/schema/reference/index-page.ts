import type { ComponentDefinition } from "../../../provider/define/component";
import type { AnyFunction } from "../../../provider/define/function";
import type { AnyResource } from "../../../provider/define/resource";
import { code, pageName, paragraphs, section, table } from "./markdown";

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
    "A page for each resource, action, component and function. [Common to all pages](common.md): the columns and notes of the tables, timeouts, imports, adoption, permissions and common errors.",
    section(
      2,
      "Resources",
      table(
        ["Resource", "Description", "Import ID"],
        kept.map(({ type, description, importId }) => [
          `[${type}](resources/${pageName(type)}.md)`,
          firstSentence(description),
          importId.refusal === undefined ? code(importId.format) : importId.format,
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

/** Up to the first full stop that ends a sentence. */
export function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}
