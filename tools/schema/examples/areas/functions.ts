import type { Examples } from "../example";

export const functions: Examples = {
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

  FunctionSet: {
    config: { projectRef: "text" },
    declares: {
      backend: {
        comment: "A function for each folder that does not begin with an underscore.",
        resource: "FunctionSet",
        properties: {
          projectRef: "${projectRef}",
          sourceDir: "functions",
          functions: { hello: { verifyJwt: false } },
        },
      },
    },
    outputs: { functions: "${backend.names}" },
  },

  SecretSet: {
    config: { projectRef: "text", mailPassword: "secret" },
    declares: {
      environment: {
        resource: "SecretSet",
        properties: {
          projectRef: "${projectRef}",
          secrets: { MAIL_HOST: "mail.example.com", MAIL_PASSWORD: "${mailPassword}" },
        },
      },
      fromFile: {
        comment: "The secrets of a file beside the program, which stays out of version control.",
        resource: "SecretSet",
        properties: { projectRef: "${projectRef}", envFile: "functions.env" },
      },
    },
    outputs: { names: "${fromFile.names}" },
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

  getEdgeFunction: {
    config: { projectRef: "text" },
    declares: {
      hello: {
        function: "getEdgeFunction",
        arguments: { projectRef: "${projectRef}", slug: "hello", withSource: true },
      },
    },
    outputs: { version: "${hello.version}", source: "${hello.source}" },
  },

  getEdgeFunctions: {
    config: { projectRef: "text" },
    declares: { found: { function: "getEdgeFunctions", arguments: { projectRef: "${projectRef}" } } },
    outputs: { deployed: "${found.functions}" },
  },
};
