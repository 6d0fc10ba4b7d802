import type { networkBanRemoval } from "../../../provider/actions/network/network-ban-removal";
import type { SampleOf } from "../sample";
import type { Scenario } from "../scenario";

const ADDRESS = "203.0.113.7";

/** When the ban began, the same in every scenario. */
const BANNED_AT = Date.UTC(2026, 0, 1);

function ban({ emulator }: Scenario, ref: string): void {
  emulator.control.edit(({ projects }) => {
    const network = projects.get(ref)?.network;
    if (network) network.bans = [{ address: ADDRESS, databaseIdentifier: ref, at: BANNED_AT }];
  });
}

export const sample: SampleOf<typeof networkBanRemoval> = {
  type: "NetworkBanRemoval",
  needsProject: true,
  replacedBy: [],
  prepare: ban,
  inputs: (projectRef) => ({ projectRef, ipv4Addresses: [ADDRESS] }),
  changed: (projectRef) => ({ projectRef, ipv4Addresses: [ADDRESS] }),
  onService: ({ emulator }, ref) => {
    const bans = emulator.world.state.projects.get(ref)?.network.bans ?? [];
    return bans.some(({ address }) => address === ADDRESS) ? [] : [{ canLogIn: ADDRESS }];
  },
  isChanged: () => true,
  cleanUp: ban,
};
