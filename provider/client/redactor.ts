const MINIMUM_LENGTH = 4;
const MINIMUM_ENCODED_LENGTH = 6;
const REPLACEMENT = "[secret]";

/** Removes known secrets from texts that leave the process: messages, progress and log lines. */
export class Redactor {
  readonly #forms = new Set<string>();

  /** Shorter values are not taken: removing them would make every message unreadable and say what they are. */
  add(value: string): void {
    if (value.length < MINIMUM_LENGTH || this.#forms.has(value)) return;
    this.#forms.add(value);
    for (const form of encodedForms(value)) {
      if (form.length >= MINIMUM_ENCODED_LENGTH) this.#forms.add(form);
    }
  }

  // No regular expression: large secrets, or many, make one too large, and its error would repeat them all.
  redact(text: string): string {
    let redacted = "";
    let restFrom = 0;
    for (const { from, to } of merged(occurrences(text, this.#forms))) {
      redacted += text.slice(restFrom, from) + REPLACEMENT;
      restFrom = to;
    }
    return redacted + text.slice(restFrom);
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

function occurrences(text: string, forms: ReadonlySet<string>): Range[] {
  const found: Range[] = [];
  for (const form of forms) {
    for (let from = text.indexOf(form); from >= 0; from = text.indexOf(form, from + 1)) {
      found.push({ from, to: from + form.length });
    }
  }
  return found;
}

/** In order, overlapping ones as one. */
function merged(ranges: readonly Range[]): Range[] {
  const disjoint: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = disjoint.at(-1);
    if (last === undefined || range.from >= last.to) disjoint.push(range);
    else disjoint.splice(-1, 1, { from: last.from, to: Math.max(last.to, range.to) });
  }
  return disjoint;
}

function encodedForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  // Through bytes, since a lone surrogate cannot be percent-encoded.
  const url = encodeURIComponent(Buffer.from(value, "utf8").toString("utf8"));
  const form = new URLSearchParams([["", value]]).toString().slice(1);
  return [
    json,
    JSON.stringify(json).slice(1, -1),
    ...bothCases(url),
    ...bothCases(form),
    ...base64Forms(value),
  ];
}

function bothCases(percentEncoded: string): string[] {
  return [percentEncoded, percentEncoded.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())];
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
