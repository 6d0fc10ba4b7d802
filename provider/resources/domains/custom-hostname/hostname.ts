import { z } from "zod";
import { formed } from "../../../define/markers";

const HOSTNAME =
  /^(?:[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])$/;

/** A hostname of a project's own. */
export function hostname(description: string) {
  const text = formed(
    z.string().max(253).regex(HOSTNAME),
    "a hostname of at most 253 characters, without `https://`, port and path",
    "db.example.com",
  );
  return text.describe(description);
}
