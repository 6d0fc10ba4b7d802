import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { allFunctions, allResources } from "../../provider/catalog/catalog";
import { componentDefinitions } from "../../provider/components/components";
import { createOpenApiDocument } from "../../spec/openapi";
import { operations } from "../../spec/table";
import { findPackageRoot } from "../engine/package-root";
import { classesText } from "./classes";
import { clientCallsText } from "./client-calls";
import { componentsText } from "./components";
import { functionsText } from "./functions";
import { ownSentencesText } from "./own-sentences";

/**
 * What is generated and not committed, by its path below the root. `npm run build` bundles this file and runs it before it
 * compiles anything.
 */
const sources: Readonly<Record<string, string>> = {
  "provider/client/calls.generated.ts": clientCallsText(),
  "provider/client/redaction/own-sentences.generated.ts": ownSentencesText(),
  "provider/dynamic/classes.generated.ts": classesText(allResources()),
  "provider/dynamic/components.generated.ts": componentsText(componentDefinitions),
  "provider/dynamic/functions.generated.ts": functionsText(allFunctions()),
  "dist/spec/openapi.json": `${JSON.stringify(createOpenApiDocument(operations), undefined, 2)}\n`,
};

for (const [path, text] of Object.entries(sources)) {
  const file = join(findPackageRoot(), path);
  // What is the same keeps its time: the compiler begins with that.
  if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
