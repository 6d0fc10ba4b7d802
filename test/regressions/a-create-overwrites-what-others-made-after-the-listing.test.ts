import type { AnyResource } from "../../provider/define/resource";
import { scopeOf } from "../../provider/lifecycle/ownership/identity";
import { contextFor } from "../../provider/lifecycle/runtime";
import type { Values } from "../../provider/lifecycle/state";
import { edgeFunction } from "../../provider/resources/functions/edge-function/edge-function";
import { secret } from "../../provider/resources/functions/secret/secret";
import { isConfiguration, resourceOf, samples } from "../lifecycle/samples";
import type { Scenario } from "../lifecycle/scenario";
import { declaring, messagesOf, startMachine, type Machine } from "./machine";

let scenario: Scenario;
/** Of another program. */
let machine: Machine;
let ref: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef: ref } = await startMachine());
});
afterEach(() => machine.close());

/** What one run sees when it looks for the objects of that name, or at the settings, before it creates. */
async function look(resource: AnyResource, inputs: Values): Promise<unknown> {
  const ctx = contextFor(scenario.runtime, resource, "create", inputs);
  return resource.find === undefined
    ? resource.read(ctx, { id: scopeOf(resource, inputs), state: inputs })
    : resource.find(ctx, inputs);
}

const findable = samples.filter((sample) => resourceOf(sample).find !== undefined);

/** What a run has asked to write so far, by the names of the operations and the status of the answers. */
function writes(): string[] {
  const isRead = (operation: string): boolean => /^(get|list|runReadOnlyQuery)/.test(operation);
  return scenario.emulator.control
    .calls()
    .flatMap(({ operation = "", status }) => (isRead(operation) ? [] : [`${operation} ${status}`]));
}

describe.each(findable.map((sample) => [sample.type, sample] as const))("a %s", (type, sample) => {
  const resource = resourceOf(sample);
  it("that another program made since the run first looked is neither written nor made twice", async () => {
    sample.prepare?.(scenario, ref);
    const inputs: Values = { ...sample.inputs(ref), ...sample.secretInputs };
    await look(resource, inputs);
    expect(messagesOf(await machine.up(declaring(type, inputs)))).toEqual([]);
    const theirs = await sample.onService(scenario, ref);
    scenario.emulator.control.clearCalls();
    const refusal = await scenario
      .manage(resource)
      .create(inputs)
      .then(
        () => undefined,
        (error: unknown) => String(error),
      );
    // Of what makes no create fail, only an action is done again.
    if (resource.adoption === undefined) expect(refusal).toContain(`The ${type} already exists`);
    if (resource.isAction === true && refusal === undefined) return;
    expect(writes()).toEqual([]);
    expect(await sample.onService(scenario, ref)).toEqual(theirs);
  });
});

/** What a delete gives back as it was found. */
const settings = samples.filter((sample) => {
  const resource = resourceOf(sample);
  const isKept = resource.find === undefined && resource.isAction !== true && isConfiguration(sample);
  return isKept && sample.cleanUp === undefined && sample.editOutside !== undefined;
});

describe.each(settings.map((sample) => [sample.type, sample] as const))("a %s", (_type, sample) => {
  it("gives back what others set since the run first looked", async () => {
    sample.prepare?.(scenario, ref);
    const inputs: Values = { ...sample.inputs(ref), ...sample.secretInputs };
    await look(resourceOf(sample), inputs);
    scenario.emulator.control.edit((state) => sample.editOutside?.(state, ref));
    const theirs = await sample.onService(scenario, ref);
    const own = scenario.manage(resourceOf(sample));
    await own.delete(await own.create(inputs));
    expect(await sample.onService(scenario, ref)).toEqual(theirs);
  });
});

it("finds a secret that somebody wrote since the run first looked", async () => {
  const secrets = scenario.manage(secret);
  await secrets.create({ projectRef: ref, name: "FIRST", value: "one" });
  scenario.emulator.control.call("createSecrets", { ref, body: [{ name: "SECOND", value: "theirs" }] });
  await expect(secrets.create({ projectRef: ref, name: "SECOND", value: "ours" })).rejects.toThrow(
    "The Secret already exists",
  );
  expect(scenario.emulator.world.state.projects.get(ref)?.secrets.get("SECOND")?.value).toBe("theirs");
});

it("finds a function that somebody deployed since the run first looked", async () => {
  const functions = scenario.manage(edgeFunction);
  const files = { "index.ts": "Deno.serve(() => new Response());" };
  await functions.create({ projectRef: ref, slug: "first", files });
  scenario.emulator.control.call("deployFunction", {
    ref,
    slug: "second",
    body: {
      file: [{ name: "index.ts", content: Buffer.from("theirs") }],
      metadata: { entrypoint_path: "index.ts" },
    },
  });
  await expect(functions.create({ projectRef: ref, slug: "second", files })).rejects.toThrow(
    "The EdgeFunction already exists",
  );
});

it("asks once more for all that are created at the same time", async () => {
  const secrets = scenario.manage(secret);
  await secrets.create({ projectRef: ref, name: "FIRST", value: "one" });
  scenario.emulator.control.clearCalls();
  const names = Array.from({ length: 20 }, (_, index) => `SECRET_${index}`);
  await Promise.all(names.map((name) => secrets.create({ projectRef: ref, name, value: name })));
  expect(scenario.calls("listSecrets")).toBe(1);
});
