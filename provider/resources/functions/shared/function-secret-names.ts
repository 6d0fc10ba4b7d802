import { z } from "zod";
import { isObject } from "../../../../spec/is-object";
import { defineProblem } from "../../../client/errors/problem";
import { formatPath } from "../../../define/property-path";
import type { CheckFailure, Installation } from "../../../define/resource";

const RESERVED_PREFIX = "SVC_";

/** The specification's own words. */
const LITERAL: Installation = { reservedPrefix: RESERVED_PREFIX };

/** What can go wrong with the secrets of functions. */
export const functionSecretProblems = {
  reservedName: defineProblem({
    says: "names that begin with {prefix} are reserved by the service",
    means: "The service reserves these names.",
    remedy: "Use another name",
  }),
  reservedSince: defineProblem({
    says: "`{name}` begins with {prefix}, which is reserved by the service. It stays as it is; a new value would be refused. {remedy}.",
    means: "Warning. The state has a secret whose name the names file reserves.",
    remedy: "Use another name",
  }),
};

export const secretName = z
  .string()
  .min(1)
  .max(256, { error: "at most 256 characters allowed" })
  .refine((name) => !isReserved(name), {
    error: functionSecretProblems.reservedName.message({ prefix: RESERVED_PREFIX }),
  });

export const secretValue = z.string().max(24_576, { error: "at most 24576 characters allowed" });

/** Whether the name is the service's own, by the specification's words or by those of the names file. */
export function isReserved(name: string, { reservedPrefix } = LITERAL): boolean {
  return name.startsWith(RESERVED_PREFIX) || name.startsWith(reservedPrefix);
}

/** A secret that a program declares, and where. */
interface NamedSecret {
  readonly name: string;
  readonly path: string;
  /** Whether the state has this very value. */
  readonly isUnchanged: boolean;
}

/** What the names file reserves: a new secret or value is refused, what is there already is told of. */
export function checkNames(
  secrets: readonly NamedSecret[],
  { reservedPrefix: prefix } = LITERAL,
): { readonly failures: readonly CheckFailure[]; readonly warnings: readonly string[] } {
  // The schema itself refuses those of the specification.
  const reserved = secrets.filter(({ name }) => !isReserved(name) && name.startsWith(prefix));
  const { reservedName, reservedSince } = functionSecretProblems;
  return {
    failures: reserved
      .filter(({ isUnchanged }) => !isUnchanged)
      .map(({ path }) => ({ path, reason: reservedName.message({ prefix }) })),
    warnings: reserved
      .filter(({ isUnchanged }) => isUnchanged)
      .map(({ name }) => reservedSince.message({ name, prefix })),
  };
}

/** Those of a map, by name. */
export function toNamedSecrets(
  secrets: Readonly<Record<string, unknown>>,
  had: unknown,
  hashed: (value: unknown) => unknown = (value) => value,
): NamedSecret[] {
  const before = isObject(had) ? had : {};
  return Object.entries(secrets).map(([name, value]) => ({
    name,
    path: formatPath(["secrets", name]),
    isUnchanged: Object.hasOwn(before, name) && before[name] === hashed(value),
  }));
}
