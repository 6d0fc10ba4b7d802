import { listInstallationSettings } from "../../import/import-into-stack";

describe("the configuration of a new stack", () => {
  it("has where the service is and the names file, seen from the program", () => {
    const env = {
      MANAGEMENT_BASE_URL: "https://api.example.com",
      MANAGEMENT_BASE_URL_ALIASES: "https://old.example.com",
      MANAGEMENT_NAMES: "/repository/names.json",
      MANAGEMENT_ACCESS_TOKEN: "hush",
    };
    expect(listInstallationSettings(env, "/repository/infrastructure")).toEqual([
      ["baseUrl", "https://api.example.com"],
      ["baseUrlAliases", "https://old.example.com"],
      ["names", "../names.json"],
    ]);
  });

  it("has nothing that the environment does not have", () => {
    expect(listInstallationSettings({ MANAGEMENT_NAMES: "" }, "/repository")).toEqual([]);
  });
});
