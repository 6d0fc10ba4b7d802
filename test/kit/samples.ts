import { z } from "zod";
import { resourceByType } from "../../provider/catalog/catalog";
import { listMarkedFields } from "../../provider/define/markers";
import type { AnyResource } from "../../provider/define/resource";
import type { Values } from "../../provider/define/values";
import { field, type Fixture } from "../../tools/fixtures/fixture";
import { fixtureOf as sampleOf, fixtures as samples } from "../../tools/fixtures/fixtures";
import { inTier } from "./tier";

export { sampleOf, samples };

/** What the tests try of each definition: its fixture. */
export type Sample = Fixture;

/** One of each kind: object, configuration, action, set, object in a database, branch, domain and billing. */
const QUICK_TYPES: readonly string[] = [
  "ApiKey",
  "StorageConfig",
  "NetworkBanRemoval",
  "SecretSet",
  "MigrationSet",
  "Branch",
  "VanitySubdomain",
  "BillingAddon",
];

/** Those samples that this run's tier has, for the test files that try each sample in many ways. */
export function samplesInTier(from: readonly Sample[] = samples): Sample[] {
  return inTier(from, isQuick);
}

export function isQuick({ type }: Sample): boolean {
  return QUICK_TYPES.includes(type);
}

/** Whether the service shows the sample as it is after its change. */
export function isAsChanged({ changesBack, isChanged }: Sample, shown: readonly unknown[]): boolean {
  return shown.length === (changesBack === true ? 0 : 1) && shown.every(isChanged);
}

/** How often the service shows the sample once it is deleted. */
export function countAfterDelete({ cleanUp }: Sample): 0 | 1 {
  return cleanUp === undefined ? 0 : 1;
}

/** The properties of a state that hold a secret, with what a configuration found before it was managed. */
export function secretsInState(sample: Sample, state: Values): string[] {
  const found = listMarkedFields(resourceOf(sample).bookkeeping ?? z.object({})).map(([name]) => name);
  return [...secretsIn(sample, state), ...found.filter((name) => name in state)].sort();
}

/** The paths of the secrets among values. */
export function secretsIn({ secrets = [] }: Sample, values: Values): string[] {
  return secrets.filter((path) => {
    const at = path.split(".").reduce<unknown>((value, name) => field(value, name), values);
    return at !== undefined;
  });
}

/** Whether it is a configuration, which is there before it is declared and after it is deleted. */
export function isConfiguration({ objects, isInDatabase }: Sample): boolean {
  return objects === undefined && isInDatabase !== true;
}

export function resourceOf(sample: Sample): AnyResource {
  return resourceByType(sample.type);
}
