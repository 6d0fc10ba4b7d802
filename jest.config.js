/** Two projects: everything that runs in this process, and the programs run by the real Pulumi engine. */
const shared = {
  testEnvironment: "node",
  transform: { "^.+\\.ts$": ["ts-jest", { tsconfig: "tsconfig.json" }] },
  modulePathIgnorePatterns: ["<rootDir>/dist"],
};
module.exports = {
  projects: [
    {
      ...shared,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["<rootDir>/test/engine/", "/node_modules/"],
    },
    { ...shared, displayName: "engine", testMatch: ["<rootDir>/test/engine/**/*.test.ts"] },
  ],
};
