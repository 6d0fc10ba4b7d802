import * as pulumi from "@pulumi/pulumi";

/** The names of the inputs that are secret or hold one; of all where that cannot be told. */
export async function listSecretInputs(inputs: Readonly<Record<string, unknown>>): Promise<string[]> {
  const marked = Object.entries(inputs).map(async ([name, value]) => {
    const isSecret = await pulumi.isSecret(pulumi.output(value)).catch(() => true);
    return isSecret ? [name] : [];
  });
  return (await Promise.all(marked)).flat().sort();
}
/** Names the inputs of which the program made a secret: the engine hands a dynamic provider every value in clear. */
export const MARKED = "__secrets";

type ProgramInputs = Readonly<Record<string, unknown>>;

/** Inputs that no class of this version registered may all be secret. */
export function isMarkedSecret(inputs: ProgramInputs): (name: string) => boolean {
  const marked = inputs[MARKED];
  return Array.isArray(marked) ? (name) => marked.includes(name) : () => true;
}

/** The inputs of which the program made a secret. */
export function pickMarkedInputs(inputs: ProgramInputs): Record<string, unknown> {
  const marked = inputs[MARKED];
  const names = Array.isArray(marked) ? marked.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, inputs[name]]));
}
