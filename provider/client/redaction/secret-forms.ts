import { unescaped, type Unescaped } from "./unescaped";

const CAPITALS = /\p{Lu}/gu;
const MINIMUM_LENGTH = 4;
const MINIMUM_ENCODED_LENGTH = 6;

/** A text as it is searched: without what was put around it, and with each letter small. */
export function searchable(text: string): Unescaped {
  const view = unescaped(text);
  return { ...view, text: view.text.replace(CAPITALS, smallOf) };
}

/**
 * How a secret looks in such a text: as it is, with the blanks around it, in hex and in base64. Shorter ones have no
 * form: removing them would make every message unreadable and say what they are.
 */
export function formsOf(secret: string): string[] {
  if (secret.length < MINIMUM_LENGTH) return [];
  const plain = searchable(secret).text;
  const encoded = base64Forms(secret).map((form) => form.replace(/\++/g, " ").toLowerCase());
  return [
    ...(plain.trim().length < MINIMUM_LENGTH ? [] : [plain, Buffer.from(secret, "utf8").toString("hex")]),
    ...encoded.filter((form) => form.trim().length >= MINIMUM_ENCODED_LENGTH),
  ];
}

/** One by one, and of the same length, so that each place stays what it is. */
function smallOf(capital: string): string {
  const small = capital.toLowerCase();
  return small.length === capital.length ? small : capital;
}

/** Base64 depends on where in the encoded text the value begins; only the characters that it alone decides are kept. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const start = Math.ceil((offset * 8) / 6);
    const end = Math.floor(((offset + bytes.length) * 8) / 6);
    const certain = encoded.slice(start, end);
    return [certain, certain.replaceAll("+", "-").replaceAll("/", "_")];
  });
}
