import { sampleOf } from "../lifecycle/samples";
import { messagesOf, startMachine, declaring, type Machine } from "./machine";
import type { Scenario } from "../lifecycle/scenario";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

const onService = async (type: string): Promise<unknown[]> => sampleOf(type).onService(scenario, projectRef);

const replaceByHand: Readonly<Record<string, () => void>> = {
  EdgeFunction: () => {
    scenario.emulator.control.call("deleteFunction", { ref: projectRef, function_slug: "hello" });
    scenario.emulator.control.call("deployFunction", {
      ref: projectRef,
      slug: "hello",
      body: {
        file: [{ name: "index.ts", content: Buffer.from("Deno.serve(() => new Response());") }],
        metadata: { entrypoint_path: "index.ts" },
      },
    });
  },
  CustomHostname: () => {
    scenario.emulator.control.call("removeCustomHostname", { ref: projectRef });
    scenario.emulator.control.call("initializeCustomHostname", {
      ref: projectRef,
      body: { custom_hostname: "shop.example.net" },
    });
  },
};

describe.each(Object.entries(replaceByHand))(
  "a destroy of a %s in whose place another one is",
  (type, replace) => {
    beforeEach(async () => {
      const sample = sampleOf(type);
      sample.prepare?.(scenario, projectRef);
      await machine.up(declaring(type, sample.inputs(projectRef)));
      replace();
    });

    it("is refused with what is there, and removes nothing", async () => {
      const before = await onService(type);
      const [message] = messagesOf(await machine.destroy());
      expect(message).toContain("because someone has replaced it since");
      expect(message).toContain(`pulumi state delete 'urn:pulumi:dev::shop::management:index:${type}::it'`);
      expect(await onService(type)).toEqual(before);
      expect(before).toHaveLength(1);
    });

    it("removes it once a refresh has taken it into the state", async () => {
      await machine.refresh();
      expect(messagesOf(await machine.destroy())).toEqual([]);
      expect(await onService(type)).toEqual([]);
    });
  },
);

it("still succeeds where there is nothing any more", async () => {
  await machine.up(declaring("EdgeFunction", sampleOf("EdgeFunction").inputs(projectRef)));
  scenario.emulator.control.call("deleteFunction", { ref: projectRef, function_slug: "hello" });
  expect(messagesOf(await machine.destroy())).toEqual([]);
});
