import { z } from "zod";
import { secret, stable } from "../../../define/markers";

export const outputs = z.object({
  apiKey: stable(secret(z.string().describe("The key in plain text."))).optional(),
  prefix: stable(z.string().describe("First characters of the key, which identify it.")).optional(),
  hash: stable(z.string().describe("The service's hash of the key.")).optional(),
  createdAt: stable(z.string().describe("Time of creation, ISO 8601.")).optional(),
  updatedAt: z.string().describe("Time of the last change, ISO 8601.").optional(),
});
