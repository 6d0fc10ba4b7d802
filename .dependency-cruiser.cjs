/** What everything that calls the service stands on. */
const base = ["spec", "provider/client", "provider/define"];

/** The dependency rules (docs/architecture.md): what each layer may import besides itself and packages. */
const layers = {
  spec: [],
  "provider/client": ["spec", "provider/node-version", "provider/version.generated"],
  "provider/define": ["spec", "provider/client"],
  "provider/batching": base,
  "provider/waiting": base,
  "provider/lookup": base,
  "provider/settings": [...base, "provider/waiting"],
  "provider/ledger": [...base, "provider/own-folder"],
  "provider/engine": [...base, "provider/batching", "provider/waiting", "provider/lookup", "provider/ledger"],
  "provider/resources": [...base, "provider/waiting", "provider/lookup", "provider/settings"],
  "provider/actions": [...base, "provider/waiting", "provider/lookup", "provider/resources/[^/]+/shared"],
  "provider/functions": [
    ...base,
    "provider/waiting",
    "provider/lookup",
    "provider/settings",
    "provider/resources",
  ],
  "provider/components": [...base, "provider/engine", "provider/ledger", "provider/resources"],
  "provider/catalog": ["provider/loaders.generated", "provider/define"],
  "provider/loaders.generated": [
    "provider/define",
    "provider/resources",
    "provider/actions",
    "provider/functions",
  ],
  "provider/config": base,
  "provider/process": [...base, "provider/batching", "provider/engine", "provider/ledger", "provider/config"],
  "provider/dynamic": ["spec", "provider/(?!plugin/)"],
  "provider/plugin": ["spec", "provider/(?!dynamic/)", "schema.json"],
  emulator: ["spec", "provider/node-version", "provider/own-folder"],
  "emulator/machine": ["provider/own-folder"],
  "emulator/postgres": ["spec", "provider/own-folder", "emulator/machine"],
  "emulator/service": ["spec", "emulator/postgres"],
  "emulator/desk": ["spec", "emulator/machine", "emulator/postgres", "emulator/service"],
  import: [
    "spec",
    "provider/catalog",
    "provider/client",
    "provider/config",
    "provider/define",
    "provider/engine",
    "provider/ledger",
    "provider/node-version",
    "provider/process",
    // The settings of a configuration in the API's body, which the files of other tools have.
    "provider/resources/auth/auth-config",
    "provider/resources/database/postgres-config",
    "provider/resources/database/shared",
    "provider/resources/functions/secret-set/env-file",
    "provider/resources/functions/shared",
    "provider/resources/services/rest-layer-config",
    "provider/resources/services/storage-config",
    "provider/settings",
    "provider/version.generated",
  ],
  trace: [
    "spec/printed-text",
    "spec/regular-file",
    "spec/shown-text",
    "provider/define/own-file",
    "provider/node-version",
    "provider/version.generated",
  ],
  previews: [
    "spec",
    "provider/client",
    "provider/resources/functions/shared/edge-functions/usual-config-file",
    "provider/resources/functions/shared/tool-config",
    "provider/resources/branches/branch/problems",
    "provider/resources/branches/shared/preview-identity",
    "provider/resources/database/shared/migration-problems",
    "provider/actions/database/shared/script-runs",
    "provider/define/markdown",
    "provider/define/own-file",
    "provider/define/regular-files",
    "provider/define/sha256",
    "provider/components/preview-environment/lifetime",
    "provider/ledger/process-identity",
    "provider/process/cancel-file",
    "provider/process/state-folder",
    "provider/node-version",
    "provider/version.generated",
  ],
};

const within = (prefix) => `^${prefix}(?:/|\\.ts$|\\.json$|$)`;
const anyOf = (prefixes) =>
  prefixes.map((prefix) => (prefix.includes("(?!") ? `^${prefix}` : within(prefix)));

module.exports = {
  forbidden: [
    {
      name: "no-circle",
      comment: "Types that two files need stand in a third one that imports neither.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...Object.entries(layers).map(([layer, mayImport]) => ({
      name: `layer-${layer.replace("provider/", "")}`,
      comment: `${layer} may import ${["itself", ...mayImport].join(", ")} and packages (docs/architecture.md, dependency rules).`,
      severity: "error",
      from: { path: within(layer) },
      to: {
        path: "^(?:spec|provider|emulator|import|previews|trace|tools|test|bench|schema\\.json)",
        pathNot: anyOf([layer, ...mayImport]),
      },
    })),
    {
      name: "only-adapters-know-pulumi",
      comment: "Handlers and the lifecycle know nothing of Pulumi's SDK; components are made of its outputs.",
      severity: "error",
      from: {
        path: "^(?:spec|provider|emulator)/",
        pathNot: "^provider/(?:dynamic/|plugin/|components/|process/(?:engine-lines|quiet-debug-log)\\.ts$)",
      },
      to: { path: "@pulumi/" },
    },
    {
      name: "shared-knows-no-definition",
      comment: "What an area shares stands below its resources.",
      severity: "error",
      from: { path: "^provider/resources/[^/]+/shared/" },
      to: { path: "^provider/resources/", pathNot: "^provider/resources/[^/]+/shared/" },
    },
    {
      name: "tools-know-no-test",
      comment:
        "What tools and tests share stands in a room of tools: tools/engine, or the tool that it belongs to.",
      severity: "error",
      from: { path: "^tools/" },
      to: { path: "^test/" },
    },
    {
      name: "bench-knows-the-kit-only",
      comment:
        "A bench measures loads that tests judge as well: they stand in test/kit, and no other test is imported.",
      severity: "error",
      from: { path: "^bench/" },
      to: { path: "^test/", pathNot: "^test/kit/" },
    },
    {
      name: "kit-stands-below-the-tests",
      comment: "The kit knows the samples and the tools, and no test that uses it.",
      severity: "error",
      from: { path: "^test/kit/" },
      to: {
        path: "^test/",
        pathNot: "^test/(?:kit/|lifecycle/(?:samples?|samples\\.generated)\\.ts$|setup/tier\\.ts$)",
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(?:dist|emulator/dist|sdk)/" },
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
  },
};
