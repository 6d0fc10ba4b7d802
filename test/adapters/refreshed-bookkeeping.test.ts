import { adapters, checked } from "../kit/adapter-life";
import { inClear } from "../kit/engine-values";
import type { InState } from "../kit/provider-process";
import { startScenario, type Scenario } from "../kit/scenario";

const EMAIL = "guest@example.com";

let scenario: Scenario;
beforeEach(async () => {
  scenario = await startScenario();
});
afterEach(() => scenario.close());

it.each(adapters)(
  "$name: what a definition keeps for itself ends with a refresh that does not have it",
  async ({ start }) => {
    const ref = scenario.healthyProject();
    const { control } = scenario.emulator;
    control.edit(({ organizations }) => {
      // A smaller plan has no invitations.
      const organization = organizations.get("acme");
      if (organization) organization.plan = "platform";
    });
    const process = await start(scenario, "JitUser");
    const inputs = { projectRef: ref, email: EMAIL, roles: [{ role: "postgres" }] };
    const made = await process.create(await checked(process, inputs));
    expect(made.outs["__invitationId"]).toBeDefined();
    const refresh = async (before: InState): Promise<InState> => {
      scenario.clock.advance(60_000);
      const next = await start(scenario, "JitUser");
      const read = await next.read(before);
      await next.close();
      return read;
    };

    const body = { email: EMAIL, roles: [{ role: "postgres" }] };
    const { invite_id: second } = control.call("inviteJitUser", { ref, body });
    const beside = await refresh(made);
    expect(inClear(beside.outs)).toMatchObject({ __hasSurplus: true });

    control.call("deleteJitInvitation", { ref, invite_id: second });
    const alone = await refresh(beside);
    expect(alone.outs).not.toHaveProperty("__hasSurplus");
    expect(inClear(alone.outs)).toEqual(inClear(made.outs));
    await process.close();
  },
);
