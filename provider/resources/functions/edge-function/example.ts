import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    hello: {
      resource: "EdgeFunction",
      properties: {
        projectRef: "${projectRef}",
        slug: "hello",
        name: "Hello",
        verifyJwt: true,
        sourceDir: "functions/hello",
      },
    },
    ping: {
      resource: "EdgeFunction",
      properties: {
        projectRef: "${projectRef}",
        slug: "ping",
        files: { "index.ts": 'Deno.serve(() => new Response("pong"));' },
      },
    },
  },
  outputs: { helloVersion: "${hello.version}" },
};
