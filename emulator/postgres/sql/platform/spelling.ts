import {
  DATABASE_PLACEHOLDERS,
  type DatabaseSection,
  type DatabasePlaceholder,
} from "../../../../spec/names/neutral-words";
import type { Names } from "../../../../spec/names/names";

/** How an installation names what a project's database has. */
export type DatabaseNames = Names["inDatabase"];

/**
 * SQL in the installation's words. A placeholder of several sections means the schema; `"role:legacy_pooler"` is the role of that
 * name.
 */
export function spell(sql: string, names: DatabaseNames): string {
  return sql.replaceAll(PLACEHOLDER, (_, quote: string | undefined, name: string) => {
    const word = wordOf(name, names);
    if (quote !== undefined) return quote + word;
    return /^[a-z_][a-z0-9_]*$/.test(word) || name.startsWith('"') ? word : `"${word}"`;
  });
}

const SECTIONS = ["schemas", "roles", "publications", "extensions", "eventTriggers"] as const;
const ALL = [...new Set(Object.values(DATABASE_PLACEHOLDERS).flat())].sort((a, b) => b.length - a.length);
const PLACEHOLDER = new RegExp(`(["'])?("role:\\w+"|\\b(?:${ALL.join("|")})\\b)`, "g");

function wordOf(name: string, names: DatabaseNames): string {
  const [, role] = /^"role:(\w+)"$/.exec(name) ?? [];
  if (role !== undefined) return `"${spelledIn("roles", role, names) ?? role}"`;
  for (const section of SECTIONS) {
    const word = spelledIn(section, name, names);
    if (word !== undefined) return word;
  }
  return name;
}

function spelledIn(section: DatabaseSection, name: string, names: DatabaseNames): string | undefined {
  const placeholders: readonly string[] = DATABASE_PLACEHOLDERS[section];
  // It was found in this very section.
  return placeholders.includes(name)
    ? names(section, name as DatabasePlaceholder<typeof section>)
    : undefined;
}

export const literalDatabaseNames: DatabaseNames = (_section, placeholder) => placeholder;
