import { runMain } from "../run-main";
import { collectMessages } from "./collect";

/** Whose texts users of the package read. */
const FOLDERS = ["provider", "previews", "import", "trace"];

/** `npm run messages`: every text that users can read, by area, to be read once from top to bottom. */
function main(): Promise<number> {
  let area = "";
  let count = 0;
  for (const { file, line, text } of collectMessages(FOLDERS)) {
    const next = file.split("/").slice(0, -1).slice(0, 3).join("/");
    if (next !== area) console.log(`\n${(area = next)}`);
    console.log(`  ${file.slice(area.length + 1)}:${line}  ${JSON.stringify(text)}`);
    count++;
  }
  console.log(`\n${count} texts`);
  return Promise.resolve(0);
}

runMain(main);
