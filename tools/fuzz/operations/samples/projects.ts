import type { Samples, Scene } from "../sample";

/** A project that is behind, with all its services. */
function oldProject({ control, clock }: Scene): string {
  const { ref } = control.call("createProject", {
    body: { name: "old", organization_slug: "acme", db_pass: "a-password", postgres_engine: "15" },
  });
  clock.advance(120_000);
  return ref;
}

export const projectSamples = {
  listProjects: () => ({}),
  createProject: () => ({
    body: {
      name: "blog",
      organization_slug: "acme",
      db_pass: "a-password",
      region_selection: { type: "specific", code: "eu-west-1" },
      desired_instance_size: "small",
    },
  }),
  getProject: ({ ref }) => ({ ref }),
  updateProject: ({ ref }) => ({ ref, body: { name: "renamed" } }),
  deleteProject: ({ ref }) => ({ ref }),
  pauseProject: ({ control, ref }) => {
    control.set("organizations.acme.plan", "free");
    return { ref };
  },
  restoreProject: ({ control, clock, ref }) => {
    control.set("organizations.acme.plan", "free");
    control.call("pauseProject", { ref });
    clock.advance(600_000);
    return { ref };
  },
  cancelRestore: ({ control, clock, ref }) => {
    control.set("organizations.acme.plan", "free");
    control.call("pauseProject", { ref });
    clock.advance(600_000);
    control.call("restoreProject", { ref });
    return { ref };
  },
  restartProject: ({ ref }) => ({ ref }),
  listRestoreVersions: ({ control, clock, ref }) => {
    control.set("organizations.acme.plan", "free");
    control.call("pauseProject", { ref });
    clock.advance(600_000);
    return { ref };
  },
  getHealth: ({ ref }) => ({ ref, services: ["auth", "db", "pooler", "realtime", "rest", "storage"] }),
  getAvailableRegions: () => ({
    organization_slug: "acme",
    continent: "EU",
    desired_instance_size: "small",
  }),
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
