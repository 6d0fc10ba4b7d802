import { parseArgs } from "node:util";
import { conclude, heading } from "../demo/report";
import { provisionEngine } from "../engine/provision";
import { runMain } from "../run-main";
import { playAdoption } from "./story";

const USAGE = `npm run demo:adopt

A project made by hand, on the emulator on this machine, comes under Pulumi with management-import, is changed in one
setting, and has its first preview of a pull request, which is merged. Ends with 1 if a step is not as it must be.
`;

const say = (line: string): void => console.log(line);

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: "boolean", short: "h" } } });
  if (values.help === true) {
    say(USAGE);
    return 0;
  }
  say(heading("the engine"));
  const engine = await provisionEngine({ log: (line) => say(`  ${line}`) });
  const rows = await playAdoption(engine, say);
  return conclude(rows, say) ? 0 : 1;
}

runMain(main);
