import * as pulumi from "@pulumi/pulumi";
import { getProject, InvalidInputError } from "../../provider";
import { resolveArguments, type OutputInvokeOptions } from "../../provider/dynamic/functions-call";

/** Outputs as the SDK settles them: whether known, secret, and what they hold. */
interface Settled {
  readonly isKnown: Promise<boolean>;
  promise(): Promise<unknown>;
}

/** What the SDK's types leave out of an output. */
const settled = (output: pulumi.Output<unknown>): Settled => output as unknown as Settled;

class Toy extends pulumi.CustomResource {
  constructor(name: string, opts?: pulumi.CustomResourceOptions) {
    super("test:index:Toy", name, { name }, opts);
  }
}

class Box extends pulumi.ComponentResource {
  constructor(name: string) {
    super("test:index:Box", name);
    new Toy(`${name}-toy`, { parent: this });
  }
}

/** `unmade` has no id yet, as a resource in the preview of its creation. */
const mock = (isPreview: boolean): Promise<void> =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ name, inputs }) => ({
        id: name.startsWith("unmade") ? "" : name,
        state: inputs as object,
      }),
      call: () => ({}),
    },
    "project",
    "stack",
    isPreview,
  );

describe("arguments that are outputs", () => {
  beforeEach(() => mock(true));

  it("are waited for, nested ones and promises included", async () => {
    const args = { a: pulumi.output("1"), b: [pulumi.output({ c: Promise.resolve(2) })], d: undefined };
    expect(await settled(resolveArguments(args, undefined)).promise()).toEqual({ a: "1", b: [{ c: 2 }] });
  });

  it("leave the result unknown while one of them is, however deep", async () => {
    const unknown = pulumi.output(pulumi.unknown);
    for (const args of [{ a: unknown }, { a: [{ b: unknown }] }]) {
      let isRun = false;
      const result = resolveArguments(args, undefined).apply(() => (isRun = true));
      expect(await settled(result).isKnown).toBe(false);
      expect(isRun).toBe(false);
    }
  });

  it("leave it unknown while the resource is not made that they come from, though they are known", async () => {
    const nameOf = (toy: Toy): pulumi.Output<string> => toy.urn.apply(() => "known");
    const isKnown = (toy: Toy): Promise<boolean> =>
      settled(resolveArguments({ a: [nameOf(toy)] }, undefined)).isKnown;
    expect(await isKnown(new Toy("made"))).toBe(true);
    expect(await isKnown(new Toy("unmade"))).toBe(false);
  });

  it("wait for what `dependsOn` names, a component's resources included", async () => {
    const isKnown = (dependsOn: OutputInvokeOptions["dependsOn"]): Promise<boolean> =>
      settled(resolveArguments({}, dependsOn)).isKnown;
    expect(await isKnown(new Toy("made"))).toBe(true);
    expect(await isKnown(undefined)).toBe(true);
    expect(await isKnown([new Toy("made"), pulumi.output(new Toy("unmade"))])).toBe(false);
    expect(await isKnown(new Box("made"))).toBe(true);
    expect(await isKnown([new Box("unmade")])).toBe(false);
  });

  it("make the result a secret where one of them is", async () => {
    const result = resolveArguments({ a: pulumi.secret("1") }, undefined);
    expect(await pulumi.isSecret(result)).toBe(true);
  });
});

describe("the options of a call", () => {
  it("take no provider, and say why", async () => {
    await mock(false);
    const provider = new (class extends pulumi.ProviderResource {})("management", "own");
    const refused = getProject({ ref: "abcdefghijklmnopqrst" }, { provider });
    await expect(refused).rejects.toThrow(InvalidInputError);
    await expect(refused).rejects.toThrow("takes no `provider`");
  });
});
