import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { functionSet } from "../../../provider/resources/functions/function-set/function-set";
import { field, type SampleOf } from "../sample";

/** Two states of a folder. Every test process writes the same files into it, so that inputs are the same in each. */
const root = join(tmpdir(), "management-sample-function-set");

function folder(name: string, answers: Readonly<Record<string, string>>): string {
  for (const [slug, answer] of Object.entries(answers)) {
    mkdirSync(join(root, name, slug), { recursive: true });
    // Another process may be reading the file.
    const draft = join(root, `${name}-${slug}-${process.pid}.draft`);
    writeFileSync(draft, `Deno.serve(() => new Response("${answer}"));\n`);
    renameSync(draft, join(root, name, slug, "index.ts"));
  }
  return join(root, name);
}

const first = folder("first", { "set-in": "one", "set-out": "one" });
const second = folder("second", { "set-in": "two", "set-new": "one", "set-out": "one" });

export const sample: SampleOf<typeof functionSet> = {
  type: "FunctionSet",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, sourceDir: first, functions: { "set-out": { verifyJwt: false } } }),
  changed: (projectRef) => ({
    projectRef,
    sourceDir: second,
    functions: { "set-out": { verifyJwt: false } },
  }),
  onService: ({ emulator }, ref) => {
    const sources = emulator.control
      .call("listFunctions", { ref })
      .filter(({ slug }) => slug.startsWith("set-"))
      .map(({ slug }) => {
        const body = emulator.control.call("getFunctionBody", { ref, function_slug: slug });
        return [slug, Buffer.from(body).toString()] as const;
      });
    return sources.length === 0 ? [] : [Object.fromEntries(sources)];
  },
  isChanged: (shown) =>
    String(field(shown, "set-in")).includes('Response("two")') && field(shown, "set-new") !== undefined,
  editOutside: ({ projects }, ref) =>
    projects.get(ref)?.functions.forEach((one) => {
      if (one.slug === "set-in") one.version += 1;
    }),
};
