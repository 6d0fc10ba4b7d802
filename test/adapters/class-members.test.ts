import * as pulumi from "@pulumi/pulumi";
import * as management from "../../provider";
import { allResources } from "../../provider/catalog/catalog";
import { componentDefinitions as components } from "../../provider/components/components";
import { formatToken } from "../../provider/define/token";
import { dynamicType } from "../../tools/schema/resource-spec";
import { providerSource } from "../kit/provider-process";

type Args = Readonly<Record<string, unknown>>;

/** What Pulumi's tools expect of a class. */
interface PulumiClass {
  new (name: string, args: Args): pulumi.Resource;
  readonly __pulumiType: string;
  readonly isInstance: (value: unknown) => boolean;
  readonly get?: (name: string, id: string, opts?: pulumi.CustomResourceOptions) => pulumi.CustomResource;
}

function classOf(type: string): PulumiClass {
  const found: unknown = Reflect.get(management, type);
  if (typeof found !== "function") throw new Error(`No class ${type} is exported`);
  // The members are what is tested.
  return found as unknown as PulumiClass;
}

/**
 * Whether a policy made by `validateResourceOfType` of `@pulumi/policy` applies to a resource of that type: it compares the
 * class's `__pulumiType`, and its older versions call `isInstance` by itself.
 */
function policyApplies({ __pulumiType, isInstance }: PulumiClass, type: string): boolean {
  const byType = __pulumiType === type;
  expect(isInstance({ __pulumiType: type })).toBe(byType);
  return byType;
}

const classes = [
  ...allResources().map(({ type }) => [type, dynamicType(type)] as const),
  ...components.map(({ type }) => [type, formatToken(type)] as const),
];

describe.each(classes)("%s", (type, pulumiType) => {
  it("regression: is what a policy for its class applies to, and no other class is", () => {
    const applying = classes.filter(([other]) => policyApplies(classOf(other), pulumiType));
    expect(applying).toEqual([[type, pulumiType]]);
    for (const nothing of [undefined, null, "text", {}]) {
      expect(classOf(type).isInstance(nothing)).toBe(false);
    }
  });
});

interface Registered {
  readonly type: string;
  readonly id: string | undefined;
  readonly inputs: Args;
}

/** What a program registers with Pulumi. */
async function registeredBy(program: () => pulumi.CustomResource): Promise<Registered> {
  let given: Registered | undefined;
  const mocks: pulumi.runtime.Mocks = {
    newResource: ({ type, id, inputs }) => {
      // The SDK types the properties of a resource as `any`.
      given = { type, id, inputs: inputs as Args };
      return {
        id: id === undefined || id === "" ? "new" : id,
        state: { ...(inputs as Args), apiKey: "shown" },
      };
    },
    call: () => ({}),
  };
  await pulumi.runtime.setMocks(mocks, "shop", "test");
  const resource = program();
  await new Promise((resolve) => resource.id.apply(resolve));
  if (given === undefined) throw new Error("Nothing was registered");
  return given;
}

it.each(allResources().map(({ type }) => [type]))(
  "regression: %s.get reads what exists, and declares nothing",
  async (type) => {
    const { get } = classOf(type);
    const found = await registeredBy(() => {
      if (get === undefined) throw new Error(`${type} has no \`get\``);
      return get("found", "abcdefghijklmnopqrst/an-id");
    });
    expect(found).toEqual({
      type: dynamicType(type),
      id: "abcdefghijklmnopqrst/an-id",
      inputs: { __provider: providerSource(type) },
    });
  },
);

it("an instance is one of its own class alone, whatever copy of the package made it", async () => {
  const args = { projectRef: "abcdefghijklmnopqrst", type: "secret", name: "backend" } as const;
  let key: pulumi.CustomResource | undefined;
  await registeredBy(() => (key = new management.ApiKey("backend", args)));
  expect(management.ApiKey.isInstance(key)).toBe(true);
  expect(management.Secret.isInstance(key)).toBe(false);
});
