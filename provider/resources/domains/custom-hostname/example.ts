import type { Example } from "../../../define/example";

export const example: Example = {
  config: { projectRef: "text" },
  declares: {
    hostname: {
      resource: "CustomHostname",
      properties: { projectRef: "${projectRef}", customHostname: "db.example.com" },
    },
  },
  outputs: {
    ownershipRecord: "${hostname.ownershipVerification}",
    certificateRecords: "${hostname.validationRecords}",
    cnameTarget: "${hostname.customOriginServer}",
  },
};
