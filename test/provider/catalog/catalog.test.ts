import {
  functionByName,
  resourceByType,
  allFunctions,
  allResources,
} from "../../../provider/catalog/catalog";
import { functionLoaders, resourceLoaders } from "../../../provider/catalog/loaders.generated";

describe("a definition that is asked for by its name", () => {
  it("is the one of that name", () => {
    expect(allResources().map(({ type }) => type)).toEqual(Object.keys(resourceLoaders));
    expect(allFunctions().map(({ name }) => name)).toEqual(Object.keys(functionLoaders));
    for (const resource of allResources()) expect(resourceByType(resource.type)).toBe(resource);
    for (const each of allFunctions()) expect(functionByName(each.name)).toBe(each);
  });

  it("is loaded alone, as all would take a while", () => {
    const other = "../../../provider/resources/auth/auth-config/auth-config";
    jest.isolateModules(() => {
      jest.doMock(other, () => {
        throw new Error("loaded");
      });
      const isolated = jest.requireActual<typeof import("../../../provider/catalog/catalog")>(
        "../../../provider/catalog/catalog",
      );
      expect(isolated.resourceByType("Secret").type).toBe("Secret");
      expect(isolated.functionByName("getProject").name).toBe("getProject");
      expect(() => isolated.resourceByType("AuthConfig")).toThrow("loaded");
      jest.dontMock(other);
    });
  });

  it.each(["Nothing", "constructor", "__proto__"])(
    "is told to be missing where there is none: %s",
    (name) => {
      expect(() => resourceByType(name)).toThrow(
        `pulumi-management has no resource type ${name}; it has LogDrain, ApiKey, AuthConfig, `,
      );
      expect(() => functionByName(name)).toThrow(
        `pulumi-management has no function ${name}; it has getFunctionStats, `,
      );
    },
  );
});
