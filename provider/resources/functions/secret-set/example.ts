import type { Example } from "../../../define/example";

export const example: Example = {
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
};
