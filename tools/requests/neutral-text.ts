import type { ExportedResource } from "../engine/stack-export";

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;
const ID_START = "00000000-0000-4000-8000-";
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const MILLISECONDS = /\b\d{13}\b/g;
const NEW_YEAR_MS = Date.UTC(2026, 0, 1);

/**
 * The text with everything that differs from one recording to the next replaced by what does not: identifiers and times
 * by their order, what the service made up by the name of its property.
 */
export function neutralText(text: string, resources: readonly ExportedResource[]): string {
  // The protocol has identifiers of its own, as for what is not known yet: they are in no state.
  const ids = new Set(JSON.stringify(resources).match(UUID));
  const replacements = resources.flatMap(madeUpIn);
  let neutral = replacements.reduce((all, [found, instead]) => all.replaceAll(found, instead), text);
  neutral = inOrder(neutral, MILLISECONDS, (n) => String(NEW_YEAR_MS + n * 1_000));
  neutral = inOrder(neutral, TIME, (n) => new Date(NEW_YEAR_MS + n * 1_000).toISOString());
  return inOrder(neutral, UUID, (n, id) => (ids.has(id) ? `${ID_START}${String(n).padStart(12, "0")}` : id));
}

function inOrder(text: string, pattern: RegExp, nth: (n: number, found: string) => string): string {
  const known = new Map<string, string>();
  return text.replace(pattern, (found) => {
    const instead = known.get(found) ?? nth(known.size + 1, found);
    known.set(found, instead);
    return instead;
  });
}

/** References are twenty letters, which checks ask for. */
const REFERENCES: Readonly<Record<string, string>> = {
  Project: "recordedprojectaaaaa",
  Branch: "recordedbranchaaaaaa",
};

/** Outputs that the service makes up at random, wherever they are among the outputs; one that holds another first. */
const MADE_UP: Readonly<Record<string, readonly string[]>> = {
  ApiKey: ["apiKey", "hash", "prefix"],
  Branch: ["password", "jwtSecret"],
  CustomHostname: ["txtValue", "value"],
};

function madeUpIn({ type, id, outputs }: ExportedResource): [found: string, instead: string][] {
  const name = type.split(":")[2] ?? "";
  const values = (MADE_UP[name] ?? []).flatMap((property) =>
    textsOf(property, outputs).map((text): [string, string] => [text, `recorded-${property}`]),
  );
  const reference = REFERENCES[name];
  return id === undefined || reference === undefined ? values : [...values, [id, reference]];
}

/** The texts of all properties of that name, in an export that shows secrets. */
function textsOf(property: string, values: unknown): string[] {
  if (typeof values !== "object" || values === null) return [];
  return Object.entries(values).flatMap(([name, value]) => {
    const clear: unknown = inClear(value);
    return name === property && typeof clear === "string" ? [clear] : textsOf(property, clear);
  });
}

function inClear(value: unknown): unknown {
  const plaintext: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "plaintext") : undefined;
  return typeof plaintext === "string" ? JSON.parse(plaintext) : value;
}
