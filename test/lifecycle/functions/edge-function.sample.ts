import type { edgeFunction } from "../../../provider/resources/functions/edge-function/edge-function";
import { field, type SampleOf } from "../sample";

export const sample: SampleOf<typeof edgeFunction> = {
  type: "EdgeFunction",
  needsProject: true,
  inputs: (projectRef) => ({
    projectRef,
    slug: "hello",
    name: "Hello",
    files: { "index.ts": 'Deno.serve(() => new Response("one"));\n' },
  }),
  changed: (projectRef) => ({
    projectRef,
    slug: "hello",
    name: "Hello",
    files: { "index.ts": 'Deno.serve(() => new Response("two"));\n' },
  }),
  onService: ({ emulator }, ref) =>
    emulator.control
      .call("listFunctions", { ref })
      .filter(({ slug }) => slug === "hello")
      .map((one) => {
        const body = emulator.control.call("getFunctionBody", { ref, function_slug: one.slug });
        return { ...one, source: Buffer.from(body).toString() };
      }),
  isChanged: (shown) => String(field(shown, "source")).includes('Response("two")'),
  editOutside: ({ projects }, ref) =>
    projects.get(ref)?.functions.forEach((one) => void (one.name = "by hand")),
  objects: {
    ids: ({ emulator }, ref) =>
      emulator.control
        .call("listFunctions", { ref })
        .map(({ slug }) => slug)
        // Those of a FunctionSet are none of an EdgeFunction.
        .filter((slug) => !slug.startsWith("set-")),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listFunctions", { ref }).find(({ slug }) => slug === id),
    make: ({ emulator }, ref, count) => {
      const file = [{ name: "index.ts", content: new TextEncoder().encode("export {};") }];
      const body = { metadata: { entrypoint_path: "index.ts" }, file };
      emulator.control.call("deployFunction", { ref, slug: `others-${count}`, body });
    },
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteFunction", { ref, function_slug: id }),
  },
};
