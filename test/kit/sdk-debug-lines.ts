import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A line that Pulumi's SDK logs for debugging, as its source has it and as it is logged for one of our objects. */
interface DebugLine {
  readonly source: string;
  readonly logged: string;
}

export const VALUE_IN_CLEAR = "hunter2-in-clear";

/** What stands for an object in a line, by the names that the SDK gives it; everything else that is put in may be a value. */
const NAMES: Readonly<Record<string, string>> = {
  label: "resource:backend[management:index:ApiKey]#...",
  resourceChainLabel: "resource:other[management:index:Secret]#...",
  tok: "management:index:getApiKey",
  t: "management:index:ApiKey",
  type: "management:index:ApiKey",
  urn: "urn:pulumi:dev::shop::management:index:ApiKey::backend",
  resolvedID: "abcdefghijklmnopqrst/an-id",
};
/** What says how the program is run, which variables its functions name, and what went wrong, which we redact ourselves. */
const HARMLESS =
  /^(?:JSON\.stringify\(result\)|name|custom|remote|err|rpcErr|rpcError|error|key|item\.version|registrationType|ctx|i|k|program|process\.cwd\(\)|programArgs|destinationUrl|tsPath|tsConfigPath|ts\.version|tsn\.VERSION|tsnPath)$/;

/** Every line that an installed SDK can log for debugging. */
export function debugLinesOf(sdk: string): DebugLine[] {
  const files = readdirSync(sdk, { recursive: true, encoding: "utf8" }).filter((file) =>
    /^(?:runtime|cmd|log|dynamic|provider|[\w-]+\.js$).*(?<!\.d)(?:\.js|\/index\.js)$/.test(file),
  );
  return files
    .filter((file) => file.endsWith(".js") && !file.includes("node_modules") && !file.includes("tests/"))
    .flatMap((file) => callsIn(readFileSync(join(sdk, file), "utf8")))
    .map((source) => ({ source, logged: loggedBy(source) }));
}

function callsIn(code: string): string[] {
  return [...code.matchAll(/\blog\.debug\(/g)].map(({ index }) => {
    let depth = 0;
    for (let at = index; at < code.length; at += 1) {
      if (code[at] === "(") depth += 1;
      if (code[at] === ")") depth -= 1;
      if (code[at] === ")" && depth === 0) return code.slice(index, at + 1).replaceAll(/\s+/g, " ");
    }
    throw new Error(`a call of log.debug has no end: ${code.slice(index, index + 80)}`);
  });
}

/** The texts of a call behind one another, with what is put into them; a condition counts as met. */
function loggedBy(source: string): string {
  const texts = source.match(/`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|\b(?:label|message)\b(?=[ ,)])/g) ?? [];
  // By a slip, this one logs what comes behind the question mark, and that alone.
  const isMisread =
    /[^(]\S*excessiveDebugOutput \?/.test(source) && !/\(\S*excessiveDebugOutput/.test(source);
  const logged = isMisread ? texts.slice(1) : texts;
  return logged
    .map((text) => (text === "label" ? text : text.slice(1, -1)))
    .map(filled)
    .join("");
}

function filled(text: string): string {
  if (text === "label") return NAMES["label"] ?? "";
  return text.replaceAll(/\$\{((?:[^{}]|\{[^}]*\})*)\}/g, (_, name: string) =>
    HARMLESS.test(name) ? "x" : (NAMES[name] ?? inClear(name)),
  );
}

/** The answer to a look-up by URN says of what it is, and nothing else in its line does. */
function inClear(name: string): string {
  return name === "innerResponse" ? `,,${NAMES["urn"]},,${VALUE_IN_CLEAR}` : VALUE_IN_CLEAR;
}
