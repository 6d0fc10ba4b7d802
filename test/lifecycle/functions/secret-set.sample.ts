import type { secretSet } from "../../../provider/resources/functions/secret-set/secret-set";
import { field, type SampleOf } from "../sample";
import type { Scenario } from "../scenario";

const PREFIX = "SET_";

export const sample: SampleOf<typeof secretSet> = {
  type: "SecretSet",
  needsProject: true,
  inputs: (projectRef) => ({ projectRef, secrets: { SET_HOST: "first-host", SET_TOKEN: "first-token" } }),
  changed: (projectRef) => ({
    projectRef,
    secrets: { SET_HOST: "second-host", SET_PORT: "second-port", SET_TOKEN: "first-token" },
  }),
  onService: (scenario, ref) => {
    const set = setOf(scenario, ref);
    return Object.keys(set).length === 0 ? [] : [set];
  },
  isChanged: (shown) =>
    // SHA-256 of "second-host".
    field(shown, "SET_HOST") === "5caf40c4ac6cbb7221587c9246970df9dd93d85e7fdc02cfc595580081122bf8" &&
    field(shown, "SET_PORT") !== undefined &&
    field(shown, "SET_TOKEN") !== undefined,
  editOutside: ({ projects }, ref) =>
    void projects.get(ref)?.secrets.set("SET_HOST", { value: "by hand", updatedAt: 0 }),
  secrets: ["hashes", "secrets"],
};

/** The hash of each secret that a set of the sample has. */
function setOf({ emulator }: Scenario, ref: string): Record<string, string> {
  return Object.fromEntries(
    emulator.control
      .call("listSecrets", { ref })
      .flatMap(({ name, value }) => (name.startsWith(PREFIX) ? [[name, value]] : [])),
  );
}
