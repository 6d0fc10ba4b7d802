/** What a `.env` file of ours begins with: another file is not overwritten. */
export const ENV_HEADER = "# Written by `management-previews env`.";

/** An output of a stack. */
export interface Output {
  readonly name: string;
  readonly value: unknown;
  readonly isSecret: boolean;
}

export interface EnvText {
  readonly text: string;
  /** Why an output is not in it, one sentence each. */
  readonly leftOut: readonly string[];
}

/**
 * A `.env` file of a stack's outputs. Build tools publish what has their prefix, so no secret gets it. What one parser of such
 * files would read otherwise than another is left out, and so is what build tools would expand from the job's environment.
 */
export function formatEnv(outputs: readonly Output[], prefix: string): EnvText {
  const values = new Map<string, { readonly output: string; readonly quoted: string }>();
  const leftOut: string[] = [];
  for (const { name: output, value, isSecret } of outputs) {
    const name = `${isSecret ? "" : prefix}${toVariableName(output)}`;
    const quoted = quoteValue(value);
    const other = values.get(name)?.output;
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      leftOut.push(`The output ${output} is left out: no variable can have its name.`);
    } else if (other !== undefined) {
      leftOut.push(`The output ${output} is left out: its variable ${name} is that of ${other}. Rename one.`);
    } else if (!isSecret && typeof value === "string" && /[\n\u2028\u2029$]/.test(value)) {
      leftOut.push(
        `The output ${output} is left out: tools expand its \`$\`, or end it at the end of its line. Export it without them, or encoded.`,
      );
    } else if (quoted === undefined) {
      leftOut.push(
        `The output ${output} is left out: tools read its quotes, backslashes or control characters differently. Export it without them, or encoded.`,
      );
    } else values.set(name, { output, quoted });
  }
  const lines = [...values].map(([name, { quoted }]) => `${name}=${quoted}`);
  return { text: `${[ENV_HEADER, ...lines].join("\n")}\n`, leftOut };
}

/** `apiUrl` as `API_URL`. */
function toVariableName(output: string): string {
  return output
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9_]/g, "_")
    .toUpperCase();
}

/**
 * Between single quotes everything is literal, in a shell as well, but for what some parsers take for an escaped backslash or
 * quote; between double ones only what nobody escapes or expands.
 */
function quoteValue(value: unknown): string | undefined {
  const text = typeof value === "string" ? value : toPlainJson(value);
  if (/[^\P{Cc}\t\n]/u.test(text) || !text.isWellFormed()) return undefined;
  if (/\\(?:\\|$)/.test(text)) return undefined;
  if (!text.includes("'")) return `'${text}'`;
  return /["\\$`]/.test(text) ? undefined : `"${text}"`;
}

/** JSON without a single quote, a dollar sign, or a backslash behind another one. */
function toPlainJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("'", String.raw`\u0027`)
    .replaceAll("$", String.raw`\u0024`)
    .replaceAll(String.raw`\\`, String.raw`\u005c`);
}
