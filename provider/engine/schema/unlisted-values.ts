import type { z } from "zod";
import { findUnlisted } from "../../define/open-values";
import { formatPath } from "../../define/property-path";
import type { Values } from "../../define/values";
import { NOT_SHOWN, type Redaction } from "./describe-issue";
import { isSecretAt, hideForeignKeys } from "./secrets";

/** An unlisted value as a message has it. */
export interface UnlistedValueText {
  readonly path: string;
  readonly value: string;
  readonly known: string;
}

/** More than the longest value of a list. */
const MOST_SHOWN = 160;

/** The values that this version does not know, of which nothing is shown that the program made of a secret. */
export function listUnlistedValues(
  { inputs }: { readonly inputs: z.ZodType },
  given: Values,
  faulty: ReadonlySet<string | undefined>,
  { redact, isSecret }: Redaction,
): UnlistedValueText[] {
  return findUnlisted(inputs, given)
    .filter(({ path }) => !faulty.has(String(path[0])))
    .map(({ path, value, known }) => {
      const isMarked = isSecret(String(path[0]));
      const shown = formatPath(hideForeignKeys(inputs, path, isMarked));
      // The nearest known value would tell something of a secret.
      if (isMarked || isSecretAt(inputs, path)) return { path: shown, value: "the value", known: NOT_SHOWN };
      const text = redact(JSON.stringify(value));
      return {
        path: shown,
        value: text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 3)}...` : text,
        known,
      };
    });
}
