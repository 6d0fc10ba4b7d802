import type { Samples, Scene } from "../sample";

/** Replicas need a compute size, which takes a while to change to. */
function enlarge({ control, clock, ref }: Scene): void {
  control.call("applyAddon", {
    ref,
    body: { addon_type: "compute_instance", addon_variant: "ci_small" },
  });
  clock.advance(120_000);
}

export const readReplicaSamples = {
  setUpReadReplica(scene) {
    enlarge(scene);
    return { ref: scene.ref, body: { read_replica_region: "eu-west-1" } };
  },
  removeReadReplica(scene) {
    const { control, ref } = scene;
    enlarge(scene);
    control.call("setUpReadReplica", { ref, body: { read_replica_region: "eu-west-1" } });
    const [replica] = scene.emulator.world.state.projects.get(ref)?.readReplicas.keys() ?? [];
    return { ref, body: { database_identifier: replica ?? "" } };
  },
} satisfies Partial<Samples>;
