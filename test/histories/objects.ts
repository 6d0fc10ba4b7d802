import type { OperationName } from "../../spec/table";
import type { Scenario } from "../lifecycle/scenario";

interface Kind {
  /** Identifiers of all such objects of a project, whoever made them, as the provider's ids are. */
  readonly ids: (scenario: Scenario, ref: string) => string[];
  /** One object as the service shows it. */
  readonly show: (scenario: Scenario, ref: string, id: string) => unknown;
  /** Somebody else makes one. */
  readonly make?: (scenario: Scenario, ref: string, count: number) => unknown;
  /** Somebody else removes one. */
  readonly remove?: (scenario: Scenario, ref: string, id: string) => unknown;
}

/** What each type's objects are on the service, past the provider. */
export const kinds: Readonly<Record<string, Kind>> = {
  Project: {
    ids: ({ emulator }) =>
      emulator.control
        .call("listProjects", {})
        .filter(({ status }) => status !== "REMOVED" && status !== "GOING_DOWN")
        .map(({ ref }) => ref),
    show: ({ emulator }, _ref, id) =>
      emulator.control.call("listProjects", {}).find(({ ref: of }) => of === id)?.name,
  },
  Branch: {
    ids: ({ emulator }, ref) =>
      emulator.control
        .call("listBranches", { ref })
        .filter(({ is_default }) => !is_default)
        .map(({ project_ref }) => project_ref),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listBranches", { ref }).find(({ project_ref }) => project_ref === id)?.name,
    make: ({ emulator }, ref, count) =>
      emulator.control.call("createBranch", { ref, body: { branch_name: `others-${count}` } }),
  },
  SigningKey: {
    ids: ({ emulator }, ref) => emulator.control.call("listSigningKeys", { ref }).keys.map(({ id }) => id),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listSigningKeys", { ref }).keys.find((key) => key.id === id)?.algorithm,
  },
  ApiKey: {
    ids: ({ emulator }, ref) =>
      emulator.control
        .call("listApiKeys", { ref })
        .flatMap(({ id, type }) => (type === "legacy" ? [] : (id ?? []))),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listApiKeys", { ref }).find((key) => key.id === id),
    make: ({ emulator }, ref, count) =>
      emulator.control.call("createApiKey", { ref, body: { type: "secret", name: `others_${count}` } }),
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteApiKey", { ref, id }),
  },
  Secret: {
    ids: ({ emulator }, ref) => emulator.control.call("listSecrets", { ref }).map(({ name }) => name),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listSecrets", { ref }).find(({ name }) => name === id),
    make: ({ emulator }, ref, count) =>
      emulator.control.call("createSecrets", {
        ref,
        body: [{ name: `OTHERS_${count}`, value: "theirs" }],
      }),
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteSecrets", { ref, body: [id] }),
  },
  EdgeFunction: {
    ids: ({ emulator }, ref) => emulator.control.call("listFunctions", { ref }).map(({ slug }) => slug),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listFunctions", { ref }).find(({ slug }) => slug === id),
    make: ({ emulator }, ref, count) => {
      const file = [{ name: "index.ts", content: new TextEncoder().encode("export {};") }];
      const body = { metadata: { entrypoint_path: "index.ts" }, file };
      emulator.control.call("deployFunction", { ref, slug: `others-${count}`, body });
    },
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteFunction", { ref, function_slug: id }),
  },
  SsoProvider: {
    ids: ({ emulator }, ref) => emulator.control.call("listSsoProviders", { ref }).items.map(({ id }) => id),
    show: ({ emulator }, ref, id) =>
      emulator.control.call("listSsoProviders", { ref }).items.find((one) => one.id === id),
    make: ({ emulator }, ref, count) => {
      const url = `https://idp-${count}.example.net/metadata`;
      const body = { type: "saml" as const, metadata_url: url, domains: [`idp-${count}.example.net`] };
      emulator.control.call("createSsoProvider", { ref, body });
    },
    remove: ({ emulator }, ref, id) => emulator.control.call("deleteSsoProvider", { ref, provider_id: id }),
  },
  CustomHostname: {
    ids: ({ emulator }, ref) => {
      try {
        emulator.control.call("getCustomHostname", { ref });
        return [ref];
      } catch {
        return [];
      }
    },
    show: ({ emulator }, ref) => emulator.control.call("getCustomHostname", { ref }).custom_hostname,
  },
  PostgresConfig: {
    // Every project has one; what of it is declared shows in its settings.
    ids: () => [],
    show: () => undefined,
  },
};

/** Operations that random faults hit. */
export const faultyOperations: readonly OperationName[] = [
  "createProject",
  "getProject",
  "listOrganizationProjects",
  "deleteProject",
  "createBranch",
  "listBranches",
  "deleteBranch",
  "createSigningKey",
  "listSigningKeys",
  "createApiKey",
  "listApiKeys",
  "updateApiKey",
  "deleteApiKey",
  "createSecrets",
  "listSecrets",
  "deleteSecrets",
  "deployFunction",
  "listFunctions",
  "deleteFunction",
  "createSsoProvider",
  "listSsoProviders",
  "initializeCustomHostname",
  "getCustomHostname",
  "updatePostgresConfig",
  "getPostgresConfig",
];
