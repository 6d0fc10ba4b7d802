import type { Samples, Scene } from "../sample";

const file = { name: "index.ts", content: new TextEncoder().encode("Deno.serve(() => new Response())") };

function deploy({ control, ref }: Scene): void {
  control.call("deployFunction", {
    ref,
    slug: "greet",
    body: { metadata: { entrypoint_path: "index.ts", name: "Greet" }, file: [file] },
  });
}

export const functionSamples = {
  listFunctions: (scene) => {
    deploy(scene);
    return { ref: scene.ref };
  },
  deployFunction: ({ ref }) => ({
    ref,
    slug: "greet",
    bundleOnly: false,
    body: {
      metadata: {
        entrypoint_path: "index.ts",
        name: "Greet",
        verify_jwt: true,
        static_patterns: ["*.html"],
      },
      file: [file],
    },
  }),
  createFunction: ({ ref }) => ({
    ref,
    body: { slug: "greet", name: "Greet", body: "Deno.serve()", verify_jwt: true },
  }),
  getFunctionBody: (scene) => {
    deploy(scene);
    return { ref: scene.ref, function_slug: "greet" };
  },
  getFunction: (scene) => {
    deploy(scene);
    return { ref: scene.ref, function_slug: "greet" };
  },
  updateFunction: (scene) => {
    deploy(scene);
    return { ref: scene.ref, function_slug: "greet", body: { name: "Welcome", verify_jwt: false } };
  },
  deleteFunction: (scene) => {
    deploy(scene);
    return { ref: scene.ref, function_slug: "greet" };
  },
  updateFunctions: (scene) => {
    deploy(scene);
    const { id, slug, name, status, version, ezbr_sha256 } = scene.control.call("getFunction", {
      ref: scene.ref,
      function_slug: "greet",
    });
    return {
      ref: scene.ref,
      body: [
        { id, slug, name, status, version: version + 1, ...(ezbr_sha256 !== undefined && { ezbr_sha256 }) },
      ],
    };
  },
  listSecrets: ({ control, ref }) => {
    control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "one" }] });
    return { ref };
  },
  createSecrets: ({ ref }) => ({
    ref,
    body: [
      { name: "TOKEN", value: "one" },
      { name: "OTHER", value: "two" },
    ],
  }),
  deleteSecrets: ({ control, ref }) => {
    control.call("createSecrets", { ref, body: [{ name: "TOKEN", value: "one" }] });
    return { ref, body: ["TOKEN"] };
  },
} satisfies Partial<Samples>;
