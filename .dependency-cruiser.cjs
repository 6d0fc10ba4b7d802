/** What everything that calls the service stands on. */
const base = ["spec", "provider/core", "provider/client", "provider/define"];

/** What several definitions of an area use, or a command that must know the same. */
const shared = "provider/resources/[^/]+/shared";

/** What is computed without the service, and is given no context that could call it. */
const withoutCalls = ["spec", "provider/core", "provider/client/errors", "provider/define/(?!context)"];

/** The dependency rules (docs/architecture.md): what each layer may import besides itself and packages. */
const layers = {
  spec: [],
  "provider/core": ["spec"],
  "provider/client": ["spec", "provider/core"],
  "provider/define": ["spec", "provider/core", "provider/client"],
  "provider/batching": base,
  "provider/waiting": base,
  "provider/lookup": base,
  "provider/settings": [...base, "provider/waiting"],
  "provider/settings/mapping": withoutCalls,
  "provider/settings/plan": [
    ...withoutCalls,
    "provider/settings/mapping",
    "provider/settings/settings-definition",
  ],
  "provider/settings/write": [
    ...base,
    "provider/waiting",
    "provider/settings/mapping",
    "provider/settings/plan",
    "provider/settings/settings-definition",
  ],
  "provider/ledger": base,
  "provider/engine": [...base, "provider/batching", "provider/waiting", "provider/lookup", "provider/ledger"],
  "provider/resources": [...base, "provider/waiting", "provider/lookup", "provider/settings"],
  "provider/actions": [...base, "provider/waiting", "provider/lookup", shared],
  "provider/functions": [
    ...base,
    "provider/waiting",
    "provider/lookup",
    "provider/settings",
    "provider/resources",
  ],
  "provider/components": [...base, "provider/engine", "provider/ledger", "provider/resources"],
  "provider/catalog": ["provider/define", "provider/resources", "provider/actions", "provider/functions"],
  "provider/process": [...base, "provider/batching", "provider/engine", "provider/ledger"],
  "provider/dynamic": ["spec", "provider/(?!plugin/)"],
  "provider/plugin": ["spec", "provider/(?!dynamic/)", "schema.json"],
  emulator: ["spec", "provider/core"],
  "emulator/machine": ["provider/core"],
  "emulator/postgres": ["spec", "provider/core", "emulator/machine"],
  "emulator/service": ["spec", "emulator/postgres"],
  "emulator/desk": ["spec", "emulator/machine", "emulator/postgres", "emulator/service"],
  import: [
    ...base,
    "provider/catalog",
    "provider/engine",
    "provider/ledger",
    "provider/process",
    "provider/settings",
    shared,
  ],
  trace: ["spec", "provider/core"],
  previews: ["spec", "provider/core", "provider/client", shared, "provider/actions/[^/]+/shared"],
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
        pathNot: "^provider/(?:dynamic/|plugin/|components/|process/engine-log/)",
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
        pathNot: "^test/kit/",
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
