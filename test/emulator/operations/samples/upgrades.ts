import type { Samples, Scene } from "../sample";

/** A project that is behind, with all its services. */
function oldProject({ control, clock }: Scene): string {
  const { ref } = control.call("createProject", {
    body: { name: "old", organization_slug: "acme", db_pass: "a-password", postgres_engine: "15" },
  });
  clock.advance(120_000);
  return ref;
}

export const upgradeSamples = {
  getUpgradeEligibility: (scene) => ({ ref: oldProject(scene) }),
  startUpgrade: (scene) => ({
    ref: oldProject(scene),
    body: { target_version: "17", release_channel: "ga" },
  }),
  getUpgradeStatus: (scene) => {
    const ref = oldProject(scene);
    const { tracking_id } = scene.control.call("startUpgrade", { ref, body: { target_version: "17" } });
    return { ref, tracking_id };
  },
} satisfies Partial<Samples>;
