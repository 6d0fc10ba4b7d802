import type { Changes } from "../kit/service-changes";
import { isConfiguration, samplesInTier } from "../kit/samples";
import { EditLife, startService, type EditedService } from "./edit-life";
import { edits } from "./edits";

const rows: string[] = [];

afterAll(() => {
  process.stdout.write(`${rows.join("\n")}\n`);
});

describe.each([
  ["a machine", false],
  ["a machine that forgets its disk", true],
])("on %s", (machine, isForgetful) => {
  describe.each(samplesInTier().map((sample) => [sample.type, sample] as const))(
    "a program with a %s",
    (type, sample) => {
      /** What an unedited life changes on the service. */
      let usual: Changes;
      let life: EditLife;
      let service: EditedService | undefined;
      const open = async (forgets: boolean): Promise<void> => {
        if (service === undefined) {
          service = await startService(sample);
          // What the first life leaves on the service, such as a default branch, the later ones find there.
          await live(service);
        }
        life = await EditLife.open(service, sample, forgets);
      };
      const live = async (on: EditedService): Promise<Changes> => {
        const first = await EditLife.open(on, sample);
        try {
          return await first.end(undefined);
        } finally {
          await first.close();
        }
      };
      /** What an edit left must not disturb the next one. */
      const close = async (): Promise<void> => {
        await life.close();
        if (life.hasEnded) return;
        await service?.world.close();
        service = undefined;
      };
      beforeAll(async () => {
        service = await startService(sample);
        await live(service);
        usual = await live(service);
      });
      beforeEach(() => open(isForgetful));
      afterEach(close);
      afterAll(() => service?.world.close());

      const possible = edits.filter(({ needsMemory }) => !isForgetful || needsMemory !== true);
      for (const { title, make } of possible) {
        it(`has on the service what it declares, and lost nothing, after this edit: ${title}`, async () => {
          const how = await make(life);
          const stack = life.other.engine.names.length > 0 ? life.other : life.stack;
          // What a configuration found before, the new resource learns from the disk only.
          const isRestored = !isForgetful || !isConfiguration(sample);
          if (isRestored) await life.end(usual, stack);
          rows.push(`${type}, ${machine}: ${title}: ${how}`);
        });
      }
    },
  );
});
