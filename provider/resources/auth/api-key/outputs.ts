import { z } from "zod";
import { secret, stable } from "../../../define/markers";

export const outputs = z.object({
  apiKey: stable(secret(z.string().describe("The key in plain text."))),
  prefix: stable(z.string().describe("First characters of the key, which identify it.")),
  hash: stable(z.string().describe("The service's hash of the key.")),
  createdAt: stable(z.string().describe("Time of creation, ISO 8601.")),
  updatedAt: z.string().describe("Time of the last change, ISO 8601."),
});
