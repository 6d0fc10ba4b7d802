import { literalNames, type Names } from "./names";

/**
 * The names in a file, and without one the placeholders as they are. What reads a file is loaded with the first: most speak
 * the specification's own words. Throws `NamesFileError` for a file that cannot be used.
 */
export function loadNames(file: string | undefined): Names {
  if (file === undefined) return literalNames;
  // oxlint-disable-next-line typescript/no-require-imports -- an import would load it at every start
  const loaded = require("./read-names") as typeof import("./read-names");
  return loaded.readNames(file);
}
