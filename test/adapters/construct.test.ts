import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { construct, toComponentOptions } from "../../provider/plugin/construct";

// What the plugin takes over from a request for a component; test/engine/preview-environment.full.test.ts makes one.

it("needs the engine's address", () => {
  expect(() => construct(new proto.ConstructRequest(), undefined)).toThrow("Use a current pulumi CLI");
});

describe("the options of a component", () => {
  const URN = "urn:pulumi:test::shop::management:index:Project::app";

  it("are the usual ones where the program gave none", () => {
    expect(toComponentOptions(new proto.ConstructRequest())).toEqual({
      ...{ aliases: [], dependsOn: [], providers: {}, ignoreChanges: [], replaceOnChanges: [] },
      ...{ protect: false, retainOnDelete: false },
    });
  });

  it("are those that the program gave", async () => {
    const request = new proto.ConstructRequest();
    request.setParent(URN);
    request.setProtect(true);
    request.setRetainondelete(false);
    request.setDependenciesList([URN]);
    request.setIgnorechangesList(["ttlHours"]);
    request.setDeletedwith(URN);
    request.setCustomtimeouts(new proto.ConstructRequest.CustomTimeouts().setCreate("90m").setDelete("5m"));
    request
      .getProvidersMap()
      .set("management", "urn:pulumi:test::shop::pulumi:providers:management::own::id");
    const {
      parent,
      protect,
      retainOnDelete,
      dependsOn,
      providers,
      ignoreChanges,
      deletedWith,
      customTimeouts,
    } = toComponentOptions(request);
    const urnOf = (resource: unknown): Promise<string> =>
      new Promise((resolve) => {
        (resource as typeof parent & object).urn.apply(resolve);
      });
    expect(await urnOf(parent)).toBe(URN);
    expect(await urnOf(deletedWith)).toBe(URN);
    expect(await Promise.all((dependsOn as unknown[]).map(urnOf))).toEqual([URN]);
    expect({ protect, retainOnDelete, ignoreChanges }).toEqual({
      ...{ protect: true, retainOnDelete: false, ignoreChanges: ["ttlHours"] },
    });
    expect(Object.keys(providers ?? {})).toEqual(["management"]);
    expect(customTimeouts).toEqual({ create: "90m", delete: "5m" });
  });
});
