import type { Values } from "../../provider/define/values";
import { startAnswerProxy, type Answer, type AnswerProxy } from "../kit/answer-proxy";
import { AdapterLife, adapters } from "../kit/adapter-life";
import { hostileAnswer } from "../kit/hostile-answers";
import { HOSTILE_TEXTS, UNSEEN } from "../kit/hostile-texts";
import type { InState } from "../kit/provider-process";
import { startScenario, type Scenario } from "../kit/scenario";
import { samplesInTier } from "../kit/samples";

const ALL_TEXTS = Object.values(HOSTILE_TEXTS).join("\n").toWellFormed();
const COMMAND = /^[^\S\n]*::|##\[|##vso\[|section_(?:start|end):/m;

let scenario: Scenario;
let proxy: AnswerProxy;
beforeEach(async () => {
  scenario = await startScenario();
  proxy = await startAnswerProxy(scenario.url);
});
afterEach(async () => {
  await proxy.close();
  await scenario.close();
});

/** A refusal with a text of others in the status line's place, in headers and in the body. */
function refusal(status: number): Answer {
  return {
    status,
    headers: { "content-type": "application/json", "x-request-id": "::add-mask::x ##[stop-commands]y" },
    body: Buffer.from(JSON.stringify({ message: ALL_TEXTS })),
  };
}

const names = samplesInTier().map((sample) => [sample.type, sample] as const);

describe.each(adapters.map((adapter) => [adapter.name, adapter] as const))(
  "through the %s adapter",
  (_, adapter) => {
    it.each(names)("nothing that a plan or a step of a %s shows is acted on", async (_type, sample) => {
      const life = new AdapterLife(scenario, sample, {
        ...adapter,
        start: (of, type) =>
          adapter.start(Object.create(of, { url: { value: proxy.url } }) as Scenario, type),
      });
      const shown: string[] = [];
      try {
        const first = await life.nextProcess();
        const { inputs } = await first.check(life.declared());
        const made = await first.create(inputs);
        life.followCreate();
        scenario.clock.advance(1_800_000);

        const attempt = async <T>(step: Promise<T>): Promise<T | undefined> => {
          try {
            return await step;
          } catch (error) {
            const { message, reasons = [] } = error as { message: string; reasons?: readonly string[] };
            shown.push(message, ...reasons);
            return undefined;
          }
        };
        const plan = async (): Promise<void> => {
          const process = await life.nextProcess();
          const found = (await attempt(process.read(made))) ?? made;
          const inState: InState = { id: found.id === "" ? made.id : found.id, outs: found.outs };
          const hostile: Values = {
            ...life.changed(),
            [ALL_TEXTS]: ALL_TEXTS,
            projectRef: ALL_TEXTS,
            name: ALL_TEXTS,
          };
          for (const given of [life.declared(), life.changed(), hostile]) {
            const checked = await attempt(process.check(given, inputs));
            if (checked === undefined) continue;
            shown.push(...checked.failures.map(({ reason }) => reason));
            if (checked.failures.length > 0) continue;
            const difference = await attempt(Promise.resolve(process.diff(inState, checked.inputs)));
            shown.push(...Object.keys((difference as { detailed?: object } | undefined)?.detailed ?? {}));
          }
          const { inputs: changed } = await process.check(life.changed(), inputs);
          await attempt(process.update(inState, changed));
          await attempt(process.create(inputs));
          await attempt(process.delete({ ...inState, id: made.id }));
          shown.push(...process.lines);
        };

        for (const ofIdentifiers of [false, true]) {
          const disturbed = proxy.disturb({
            rewrite: (answer, { operation }) =>
              operation === undefined
                ? {}
                : hostileAnswer(answer, operation, {
                    ...{ text: ALL_TEXTS, isHostile: () => true, seen: new Set(), ofIdentifiers },
                  }),
          });
          await plan();
          disturbed.end();
        }
        for (const status of [400, 500]) {
          const disturbed = proxy.disturb({ instead: refusal(status) });
          await plan();
          disturbed.end();
        }
      } finally {
        await life.close();
      }
      expect(shown.filter((text) => text.includes("add-mask"))).not.toEqual([]);
      expect(shown.filter((text) => UNSEEN.test(text) || COMMAND.test(text))).toEqual([]);
    });
  },
);
