import { generateKeyPairSync } from "node:crypto";
import type { Values } from "../../provider/lifecycle/state";
import type { Scenario } from "../lifecycle/scenario";
import { declaring, startMachine, type Machine, messagesOf } from "./machine";

let scenario: Scenario;
let machine: Machine;
let projectRef: string;
beforeEach(async () => {
  ({ scenario, machine, projectRef } = await startMachine());
});
afterEach(() => machine.close());

type Program = ReturnType<typeof declaring>;

const projectIn = (region: string): Program =>
  declaring("Project", { name: "shop", organizationSlug: "acme", dbPass: "first-password", region });
/** The service never shows the region of a branch. */
const branchIn = (region: string): Program => declaring("Branch", { projectRef, name: "preview", region });

/** A project or a branch, whose id is the reference of a project of its own. */
async function expectMoved(inRegion: (region: string) => Program): Promise<void> {
  const regionOf = (ref: string | undefined): string | undefined =>
    scenario.emulator.world.state.projects.get(ref ?? "")?.region;
  await machine.upThatDies(inRegion("us-east-1"), { point: "return of create" });

  const [message] = messagesOf(await machine.up(inRegion("eu-west-1")));
  expect(message).toContain("with another region than the program declares now");
  const kept = machine.engine.get("it");
  expect([kept?.state["region"], regionOf(kept?.id)]).toEqual(["us-east-1", "us-east-1"]);

  expect(messagesOf(await machine.up(inRegion("eu-west-1")))).toEqual([]);
  const moved = machine.engine.get("it");
  expect(moved?.id).not.toBe(kept?.id);
  expect(regionOf(moved?.id)).toBe("eu-west-1");
}

it("moves a project that is declared in another region since a run was killed", async () => {
  await expectMoved(projectIn);
});

it("moves a branch that is declared in another region since a run was killed", async () => {
  await expectMoved(branchIn);
});

it("replaces an imported signing key whose private half is declared otherwise since a run was killed", async () => {
  const jwk = (): Values => ({
    ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }),
  });
  const keyOf = (privateJwk: Values): Program =>
    declaring("SigningKey", { projectRef, algorithm: "ES256", status: "in_use", privateJwk });
  const imported = (): unknown[] =>
    scenario.emulator.control
      .call("listSigningKeys", { ref: projectRef })
      .keys.flatMap(({ algorithm, public_jwk: half }) => (algorithm === "ES256" ? [half] : []));
  const [before, since] = [jwk(), jwk()];
  await machine.upThatDies(keyOf(before), { point: "return of create" });

  const [message] = messagesOf(await machine.up(keyOf(since)));
  expect(message).toContain("with another privateJwk than the program declares now");
  expect(imported()).toMatchObject([{ x: before["x"] }]);
  expect(messagesOf(await machine.up(keyOf(since)))).toEqual([]);
  expect(imported()).toMatchObject([{ x: since["x"] }]);
});
