import { isObject } from "../../spec/is-object";
import { operations, type OperationName } from "../../spec/table";
import { ResponseSchemaError } from "../../provider/client/errors/errors";
import type { ReadResult } from "../../provider/engine/read";
import { pickDeclared } from "../../provider/engine/step/state";
import { withJson, type Answer } from "../kit/answer-proxy";
import { startScenario, type Scenario } from "../kit/scenario";
import { resourceOf, samples } from "../kit/samples";

// service, Reading answers: what an answer lacks is unknown. Each list and map of each answer to a refresh is left out in turn.

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario({ isProxied: true });
});
afterEach(() => scenario.close());

/** Names of fields from the root; all entries of a list count as one. */
type FieldPath = readonly string[];

const ENTRIES = "*";

/** The lists and maps inside of a value. */
function listCollections(value: unknown, path: FieldPath = []): FieldPath[] {
  if (Array.isArray(value)) return value.flatMap((entry) => listCollections(entry, [...path, ENTRIES]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "object" && inner !== null
      ? [[...path, name], ...listCollections(inner, [...path, name])]
      : [],
  );
}

function withoutField(value: unknown, [name, ...below]: FieldPath): unknown {
  if (name === undefined) return value;
  if (Array.isArray(value)) return value.map((entry) => withoutField(entry, below));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (key !== name) return [[key, inner]];
      return below.length === 0 ? [] : [[key, withoutField(inner, below)]];
    }),
  );
}

/** A role is shown as it was put: without networks it is open to every address, which a refresh must not hide. */
const MEANS_NONE = /^listJitUsers items\.\*\.user_roles\.\*\.allowed_networks/;

const isJsonAnswer = ({ status, headers }: Answer): boolean =>
  status < 300 && /^application\/json\b/.test(headers["content-type"] ?? "");

it.each(samples.map((sample) => [sample.type, sample] as const))(
  "%s keeps each declared input while an answer lacks a list or a map",
  async (_, sample) => {
    const ref = sample.needsProject ? scenario.healthyProject() : "";
    sample.prepare?.(scenario, ref);
    const resource = resourceOf(sample);
    const managed = scenario.manage(resource);
    const inputs = sample.inputs(ref);
    const made = await managed.create(inputs);
    const declared = Object.keys(pickDeclared(resource, made.state));

    const found = new Map<string, readonly [OperationName, FieldPath]>();
    const observing = scenario.proxy.disturb({
      rewrite: (answer, { operation }) => {
        if (operation !== undefined && operations[operation].method === "GET" && isJsonAnswer(answer))
          for (const path of listCollections(JSON.parse(answer.body.toString("utf8"))))
            found.set(`${operation} ${path.join(".")}`, [operation, path]);
        return {};
      },
    });
    scenario.nextRun();
    await managed.read(made);
    observing.end();

    const wrong: unknown[] = [];
    for (const [title, [operation, path]] of found) {
      if (MEANS_NONE.test(title)) continue;
      const lacking = scenario.proxy.disturb({
        operation,
        rewrite: (answer) =>
          isJsonAnswer(answer) ? withJson(answer, (value) => withoutField(value, path)) : {},
      });
      scenario.nextRun();
      const outcome = await managed.read(made).catch((error: unknown) => error);
      lacking.end();
      // An answer without what the specification requires is refused, and the state stays.
      if (outcome instanceof ResponseSchemaError) continue;
      if (outcome instanceof Error || outcome === undefined) {
        wrong.push([title, outcome === undefined ? "gone" : String(outcome)]);
        continue;
      }
      const { state } = outcome as ReadResult;
      const emptied = declared.filter((name) => state[name] === undefined);
      const { changes } = managed.diff(state, inputs);
      if (emptied.length > 0 || changes) wrong.push([title, { emptied, changes }]);
    }
    expect(wrong).toEqual([]);
  },
);
