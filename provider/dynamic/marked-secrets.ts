/** Names the inputs of which the program made a secret: the engine hands a dynamic provider every value in clear. */
export const MARKED = "__secrets";

type Given = Readonly<Record<string, unknown>>;

/** Inputs that no class of this version registered may all be secret. */
export function isMarkedSecret(inputs: Given): (name: string) => boolean {
  const marked = inputs[MARKED];
  return Array.isArray(marked) ? (name) => marked.includes(name) : () => true;
}

/** The inputs of which the program made a secret. */
export function markedInputs(inputs: Given): Record<string, unknown> {
  const marked = inputs[MARKED];
  const names = Array.isArray(marked) ? marked.map(String) : [];
  return Object.fromEntries(names.map((name) => [name, inputs[name]]));
}
