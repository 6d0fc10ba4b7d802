import type { Changes } from "../lifecycle/fault-changes";
import { isConfiguration, samples } from "../lifecycle/samples";
import { EditBench } from "./edit-bench";
import { edits } from "./edits";

const rows: string[] = [];

afterAll(() => {
  process.stdout.write(`${rows.join("\n")}\n`);
});

describe.each([
  ["a machine", false],
  ["a machine that forgets its disk", true],
])("on %s", (machine, isForgetful) => {
  describe.each(samples.map((sample) => [sample.type, sample] as const))(
    "a program with a %s",
    (type, sample) => {
      /** What an unedited life changes on the service. */
      let usual: Changes;
      let bench: EditBench;
      beforeAll(async () => {
        bench = await EditBench.open(sample);
        usual = await bench.end(undefined);
        await bench.close();
      });
      beforeEach(async () => {
        bench = await EditBench.open(sample, isForgetful);
      });
      afterEach(() => bench.close());

      const possible = edits.filter(({ needsMemory }) => !isForgetful || needsMemory !== true);
      it.each(possible.map((edit) => [edit.title, edit] as const))(
        "has on the service what it declares, and lost nothing, after this edit: %s",
        async (title, { make }) => {
          const how = await make(bench);
          const engine = bench.other.names.length > 0 ? bench.other : bench.engine;
          // What a configuration found before, the new resource learns from the disk only.
          const isRestored = !isForgetful || !isConfiguration(sample);
          if (isRestored) await bench.end(usual, engine);
          rows.push(`${type}, ${machine}: ${title}: ${how}`);
        },
      );
    },
  );
});
