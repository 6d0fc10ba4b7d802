import * as pulumi from "@pulumi/pulumi";

/** The names of the inputs that are secret or hold one; of all where that cannot be told. */
export async function secretInputs(inputs: Readonly<Record<string, unknown>>): Promise<string[]> {
  const marked = Object.entries(inputs).map(async ([name, value]) => {
    const isSecret = await pulumi.isSecret(pulumi.output(value)).catch(() => true);
    return isSecret ? [name] : [];
  });
  return (await Promise.all(marked)).flat().sort();
}
