import { z } from "zod";

export const ownershipRecord = z
  .object({
    type: z.string().describe("Type of the record, such as `txt`.").optional(),
    name: z.string().describe("Name of the record.").optional(),
    value: z.string().describe("Value of the record.").optional(),
  })
  .meta({
    id: "CustomHostnameOwnershipVerification",
    description: "The DNS record that proves ownership of a hostname.",
  });

export const validationRecord = z
  .object({
    txtName: z.string().describe("Name of the TXT record.").optional(),
    txtValue: z.string().describe("Value of the TXT record.").optional(),
  })
  .meta({
    id: "CustomHostnameValidationRecord",
    description: "A DNS record that validates the certificate.",
  });
