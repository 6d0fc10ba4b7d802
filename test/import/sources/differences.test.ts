import { ConfigValue } from "../../../import/sources/config-value";
import { listInputDifferences } from "../../../import/sources/differences";

const REF = "abcdefghijklmnopqrst";

function differences(
  type: string,
  inputs: Readonly<Record<string, unknown>>,
  present: Readonly<Record<string, unknown>>,
) {
  return listInputDifferences(
    { type, identity: { projectRef: REF }, inputs: { projectRef: REF, ...inputs }, source: "s" },
    { projectRef: REF, ...present },
  );
}

it("are the declared settings that the service has otherwise, or not at all", () => {
  const declared = { jwtExp: 60, siteUrl: "https://a", smtp: { host: "h", port: 587 } };
  const present = { jwtExp: 3600, siteUrl: "https://a", disableSignup: true, smtp: { port: 587 } };
  expect(differences("AuthConfig", declared, present)).toEqual([
    { path: "jwtExp", declared: 60, present: 3600 },
    { path: "smtp.host", declared: "h", present: undefined },
  ]);
});

it("are not spellings of one value", () => {
  expect(differences("PostgresConfig", { workMem: "16MB" }, { workMem: "16384kB" })).toEqual([]);
  expect(
    differences(
      "RestLayerConfig",
      { dbExtraSearchPath: "public,extensions" },
      { dbExtraSearchPath: "public, extensions" },
    ),
  ).toEqual([]);
  const lists = { allowedCidrs: ["198.51.100.7/32", "203.0.113.0/24"] };
  expect(
    differences("NetworkRestrictions", lists, { allowedCidrs: [...lists.allowedCidrs].reverse() }),
  ).toEqual([]);
  expect(differences("NetworkRestrictions", lists, { allowedCidrs: ["203.0.113.0/24"] })).toHaveLength(1);
});

it("are neither secrets nor what is never sent", () => {
  const password = new ConfigValue("P", "string", true, "hush-hush");
  expect(differences("AuthConfig", { smtp: { password }, sms: { testOtp: "1=2" } }, { smtp: {} })).toEqual(
    [],
  );
  expect(differences("FunctionSet", { sourceDir: "functions", configFile: "config.toml" }, {})).toEqual([]);
});
