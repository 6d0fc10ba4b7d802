import type { Samples } from "../sample";

export const networkSamples = {
  listNetworkBans({ control, ref }) {
    control.failLogins(ref, { address: "203.0.113.9", times: 2 });
    return { ref };
  },
  listNetworkBansEnriched({ control, ref }) {
    control.failLogins(ref, { address: "203.0.113.9", times: 2 });
    return { ref };
  },
  removeNetworkBans({ control, ref }) {
    control.failLogins(ref, { address: "203.0.113.9", times: 2 });
    return { ref, body: { ipv4_addresses: ["203.0.113.9"], requester_ip: true, identifier: ref } };
  },
  getNetworkRestrictions: ({ ref }) => ({ ref }),
  applyNetworkRestrictions: ({ ref }) => ({
    ref,
    body: { dbAllowedCidrs: ["203.0.113.0/24"], dbAllowedCidrsV6: ["2001:db8::/32"] },
  }),
  patchNetworkRestrictions: ({ ref }) => ({
    ref,
    body: { add: { dbAllowedCidrs: ["203.0.113.0/24"] }, remove: { dbAllowedCidrsV6: ["::/0"] } },
  }),
} satisfies Partial<Samples>;
