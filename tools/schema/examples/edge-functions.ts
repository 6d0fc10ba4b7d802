import type { Example } from "./example";

/** Edge functions and what they read. */
export const edgeFunctionExamples: Readonly<Record<string, Example>> = {
  EdgeFunction: {
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
  },
  Secret: {
    config: { projectRef: "text", paymentToken: "secret" },
    declares: {
      token: {
        resource: "Secret",
        properties: { projectRef: "${projectRef}", name: "PAYMENT_TOKEN", value: "${paymentToken}" },
      },
    },
  },
};
