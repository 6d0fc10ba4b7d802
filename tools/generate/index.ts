import { findPackageRoot } from "../engine/package-root";
import { runMain } from "../run-main";
import { importText, readmeText } from "./listings";
import { namesSchemaText } from "./names-schema";
import { plansText } from "./plans";
import { previewPermissionsText } from "./preview-permissions";
import { referenceFiles } from "./reference";
import { schemaText } from "./schema";
import { wholeProjectTypeScript, wholeProjectYaml } from "./whole-project";
import { refreshFiles, type Generated } from "./write-files";

const generated: Generated = {
  "previews/permissions.generated.ts": previewPermissionsText,
  "names.schema.json": namesSchemaText,
  "schema.json": schemaText,
  "docs/reference": referenceFiles,
  "docs/import.md": importText,
  "README.md": readmeText,
  "tools/coverage/plans.ts": plansText,
  "examples/whole-project/index.ts": wholeProjectTypeScript,
  "examples/whole-project-yaml/Pulumi.yaml": wholeProjectYaml,
};

/** Writes the generated files that are committed; with `--check` only says which are stale, and fails if any is. */
async function main(isCheck: boolean): Promise<number> {
  const stale = await refreshFiles(findPackageRoot(), generated, { isCheck });
  for (const { path, isLeftOver } of stale) {
    if (isCheck) console.log(isLeftOver ? `left over: ${path}` : `stale: ${path}`);
    else console.log(isLeftOver ? `removed: ${path}` : `written: ${path}`);
  }
  if (!isCheck || stale.length === 0) return 0;
  console.log("Run `npm run generate` and commit what it writes.");
  return 1;
}

runMain(() => main(process.argv.includes("--check")));
