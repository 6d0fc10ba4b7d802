import { z } from "zod";
import { projectRef as wireProjectRef } from "../../spec/shared-fields";

/** The project whose parts a function reads. */
export const projectRef = wireProjectRef.describe(
  "Reference of the project, or of a branch: twenty lower-case letters (management-api-1, Endpoints).",
);

export const organizationSlug = z
  .string()
  .regex(/^[\w-]+$/)
  .describe("Slug of the organization (management-api-1, Organizations).");
