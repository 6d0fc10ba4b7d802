const tier = process.env.TEST_TIER ?? "quick";
/** What a tier leaves out and what it has, by the names of the files: `test/kit/tier.ts`. */
const ending = { quick: "!(*.full).test.ts", rest: "*.@(full|sliced).test.ts", all: "*.test.ts" }[tier];
if (ending === undefined) throw new Error(`TEST_TIER is "${tier}", and must be quick, rest or all.`);

/** Two projects: everything that runs in this process, and the programs run by the real Pulumi engine. */
const shared = {
  testEnvironment: "<rootDir>/test/setup/environment.ts",
  transform: { "^.+\\.ts$": ["ts-jest", { tsconfig: "tsconfig.json" }] },
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/emulator/dist"],
  // In jest's sandbox every use of a global is a look-up outside of the engine, several times as slow as the code around
  // it: these are looked up once in a module. Only what no test replaces, and what no package declares anew, as asn1js does Boolean and Set.
  sandboxInjectedGlobals: [
    "Array",
    "BigInt",
    "Error",
    "JSON",
    "Map",
    "Math",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "RangeError",
    "Reflect",
    "RegExp",
    "String",
    "Symbol",
    "TypeError",
    "Uint8Array",
    "WeakMap",
    "WeakSet",
  ],
};
module.exports = {
  // One less than the cores, which is the default, leaves half of a small machine idle.
  maxWorkers: "100%",
  // Nothing is measured in time: this ends only what hangs, on a busy machine too.
  testTimeout: 10 * 60_000,
  reporters: ["default", "<rootDir>/test/setup/usage-reporter.mts"],
  testSequencer: "<rootDir>/test/setup/sequencer.mts",
  projects: [
    {
      ...shared,
      displayName: "unit",
      globalSetup: "<rootDir>/test/setup/require-build.ts",
      testMatch: [`<rootDir>/test/**/${ending}`],
      testPathIgnorePatterns: ["<rootDir>/test/engine/", "/node_modules/"],
    },
    {
      ...shared,
      displayName: "engine",
      testMatch: [`<rootDir>/test/engine/**/${ending}`],
      globalSetup: "<rootDir>/test/setup/require-build.ts",
    },
  ],
};
