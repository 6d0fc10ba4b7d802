import { userIdOf } from "../../../../emulator/access/caller";
import type { Samples, Scene } from "../sample";

/** The user of the first token, by whom calls are made. */
const user_id = userIdOf("owner");
const postgres = { role: "postgres", allowed_networks: { allowed_cidrs: [{ cidr: "192.0.2.0/24" }] } };

function grant({ control, ref }: Scene): void {
  control.call("updateJitAccess", { ref, body: { state: "enabled" } });
  control.call("updateJitUser", { ref, body: { user_id, roles: [postgres] } });
}

export const jitAccessSamples = {
  getJitAccess: (scene) => {
    grant(scene);
    return { ref: scene.ref };
  },
  updateJitAccess: ({ ref }) => ({ ref, body: { state: "enabled" } }),
  getJitUser: (scene) => {
    grant(scene);
    return { ref: scene.ref };
  },
  listJitUsers: (scene) => {
    grant(scene);
    return { ref: scene.ref };
  },
  updateJitUser: ({ clock, ref }) => ({
    ref,
    body: { user_id, roles: [{ ...postgres, expires_at: Math.floor(clock.now() / 1_000) + 3_600 }] },
  }),
  deleteJitUser: (scene) => {
    grant(scene);
    return { ref: scene.ref, user_id };
  },
  authorizeJitAccess: (scene) => {
    grant(scene);
    return { ref: scene.ref, body: { role: "postgres", rhost: "192.0.2.7" } };
  },
} satisfies Partial<Samples>;
