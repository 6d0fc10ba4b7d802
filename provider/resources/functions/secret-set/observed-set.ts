import { isReserved } from "../shared/function-secret-names";
import { changedOutside, isHeld, secretsOf } from "../shared/function-secrets";
import { undeclaredAmong } from "../shared/named-set";
import type { Context } from "../../../define/context";

/** What is remembered of a set. */
interface Remembered {
  readonly names?: readonly string[] | undefined;
  readonly hashes?: Readonly<Record<string, string>> | undefined;
  readonly prune?: boolean | undefined;
}

/** The set as the service has it: each name with the remembered hash, or with what tells that another value is there. */
export async function observedSet(ctx: Context, ref: string, remembered: Remembered) {
  const { names = [], hashes = {}, prune = false } = remembered;
  const present = await secretsOf(ctx, ref);
  const shown: Record<string, string> = {};
  const outOfSync: string[] = [];
  for (const name of new Set([...names, ...Object.keys(hashes)])) {
    const [record, hash] = [present.get(name), hashes[name]];
    const isInSync = record !== undefined && hash !== undefined && isHeld(record, hash);
    if (!isInSync) outOfSync.push(name);
    if (record !== undefined) shown[name] = isInSync ? hash : changedOutside(record);
  }
  const isUndeclared = (name: string): boolean =>
    !isReserved(name) && !names.includes(name) && !Object.hasOwn(hashes, name);
  const undeclared = undeclaredAmong(present.keys(), isUndeclared, prune);
  return {
    inputs: { projectRef: ref, hashes: shown },
    outputs: { names: [...names], outOfSync: outOfSync.sort(), ...undeclared },
  };
}
