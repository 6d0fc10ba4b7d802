import { createHash, randomBytes } from "node:crypto";
import { listMarkedFields, type Autonaming } from "../../define/markers";
import type { AnyResource } from "../../define/resource";
import type { Values } from "../../define/values";

/** The names of the inputs whose value was made up, among the inputs of the resource. */
const AUTONAMED = "__autonamed";

/** What Pulumi says of names that a program leaves out. */
export interface NamingRequest {
  /** The resource's name in the program. */
  readonly name: string;
  /** Makes the same name for the same resource of one deployment. */
  readonly randomSeed: Uint8Array;
  /** `propose`: a name to begin with; `enforce`: the name to take; `disable`: none may be made up. */
  readonly mode: "default" | "propose" | "enforce" | "disable";
  readonly proposedName: string;
}

/** The inputs with a name where the program gives none: the one it has already, or a new one. */
export function addAutonames(
  resource: AnyResource,
  given: Values,
  before: Values,
  request: NamingRequest,
): Values {
  const named: Values = {};
  for (const [name, , { autonamed }] of listMarkedFields(resource.inputs)) {
    if (autonamed === undefined || (given[name] !== undefined && given[name] !== null)) continue;
    // What it is called already stays, whoever named it, as does what an interrupted create called it.
    if (before[name] !== undefined) named[name] = before[name];
    else if (request.mode === "enforce") named[name] = request.proposedName;
    else if (request.mode !== "disable") named[name] = generateName(autonamed, request);
  }
  const names = Object.keys(named);
  return names.length === 0 ? given : { ...given, ...named, [AUTONAMED]: names };
}

export function readAutonamed(inputs: Values): readonly string[] {
  const names = inputs[AUTONAMED];
  return Array.isArray(names) ? names.map(String) : [];
}

const RANDOM_LENGTH = 7;

function generateName(naming: Autonaming, { name, randomSeed, mode, proposedName }: NamingRequest): string {
  const { separator, maxLength } = naming;
  // A proposal has its random part already, where the user's pattern wants one.
  if (mode === "propose") return shortenName(formatName(proposedName, naming), maxLength);
  const seed = randomSeed.length === 0 ? randomBytes(16) : randomSeed;
  const random = createHash("sha256").update(seed).update(name).digest("hex").slice(0, RANDOM_LENGTH);
  const prefix = formatName(name, naming).slice(0, maxLength - RANDOM_LENGTH - separator.length);
  return `${prefix}${separator}${random}`;
}

/** The random part of a proposal usually stands at its end. */
function shortenName(name: string, maxLength: number): string {
  if (name.length <= maxLength) return name;
  const end = name.slice(-RANDOM_LENGTH);
  return name.slice(0, maxLength - end.length) + end;
}

function formatName(name: string, { separator, isSlug }: Autonaming): string {
  if (isSlug === true) {
    const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, "-");
    return /^[A-Za-z]/.test(plain) ? plain : `f${plain}`;
  }
  if (separator !== "_") return name;
  // Names made of `_` are lower-case and do not begin with a digit (service, API keys).
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9_]/g, "_");
  return /^[a-z_]/.test(plain) ? plain : `_${plain}`;
}
