import { z } from "zod";
import { ORGANIZATION_SLUG } from "../../spec/organization-slug";
import { formed } from "./markers";
import { anyRef } from "./shared-inputs";

/** The project whose parts are read. */
export const projectRef = anyRef.describe("Reference of the project or branch, 20 lowercase letters.");

export const organizationSlug = formed(
  z.string().regex(ORGANIZATION_SLUG),
  "a slug of letters, digits, `_` and `-`",
  "acme",
).describe("Slug of the organization.");
