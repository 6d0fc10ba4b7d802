import { functionsOf, type FunctionRecord } from "../shared/edge-functions/calls";
import { undeclaredAmong } from "../shared/named-set";
import type { Context } from "../../../define/context";
import { toDeployed, type Deployed } from "./bring-about";
import type { Deployment, Deployments } from "./set-source";

/** What is remembered of a set. */
interface Remembered {
  readonly deployments?: Deployments | undefined;
  readonly deployed?: Readonly<Record<string, Deployed>> | undefined;
  readonly names?: readonly string[] | undefined;
  /** Names that the set neither deploys nor removes. */
  readonly unmanaged?: readonly string[] | undefined;
  readonly prune?: boolean | undefined;
}

/** The set as the service has it: each function with the remembered hash while what is there is what the set deployed. */
export async function observedSet(ctx: Context, ref: string, remembered: Remembered) {
  const { names = [], deployments = {}, deployed = {}, unmanaged = [], prune = false } = remembered;
  const present = await functionsOf(ctx, ref);
  const shown: Record<string, Deployment> = {};
  for (const slug of new Set([...names, ...Object.keys(deployments)])) {
    const record = present.get(slug);
    if (record === undefined) continue;
    const [was, about] = [deployments[slug], deployed[slug]];
    const isOurs = was !== undefined && about !== undefined && isSame(about, record);
    const sourceHash = isOurs ? was.sourceHash : `changed outside: version ${record.version ?? "unknown"}`;
    const verifyJwt = was?.verifyJwt === undefined ? undefined : (record.verify_jwt ?? was.verifyJwt);
    shown[slug] = verifyJwt === undefined ? { sourceHash } : { sourceHash, verifyJwt };
  }
  const isUndeclared = (slug: string): boolean =>
    !names.includes(slug) && !Object.hasOwn(deployments, slug) && !unmanaged.includes(slug);
  const undeclared = undeclaredAmong(present.keys(), isUndeclared, prune);
  return {
    inputs: { projectRef: ref, deployments: shown },
    outputs: { names: [...names], deployed: { ...deployed }, ...undeclared },
  };
}

/** What an answer lacks is taken for no drift. */
function isSame(deployed: Deployed, record: FunctionRecord): boolean {
  const seen = toDeployed(record);
  const differs = (was: unknown, is: unknown): boolean => was !== undefined && is !== undefined && was !== is;
  return !differs(deployed.version, seen.version) && !differs(deployed.ezbrSha256, seen.ezbrSha256);
}
