import { ApiError } from "../../../client/errors/errors";
import { replaceMessage } from "../../../client/errors/with-message";
import type { Context } from "../../../define/context";
import { formatCodeList } from "../../../define/format-code-list";
import { sha256 } from "../../../core/sha256";
import {
  addToListing,
  forgetSecrets,
  isHeld,
  waitForSecretRemovals,
  removeSecret,
  listSecretsOnce,
  writeSecret,
} from "../shared/function-secrets";
import {
  mergeOutcomes,
  waitForHandOver,
  refuseForeignNames,
  runForEach,
  type BatchOutcome,
} from "../shared/named-set";
import { problems } from "./problems";

/** What a set brings about. */
interface SecretSetDeclaration {
  readonly ref: string;
  readonly secrets: ReadonlyMap<string, string>;
  /** Names that the set has had; a secret of any other name is somebody else's, whatever its value. */
  readonly own: ReadonlySet<string>;
  readonly isAdopted: boolean;
  readonly removed?: readonly string[];
}

/** Writes what differs on the service and removes what goes, each in bulk; throws before that for what is not the set's. */
export async function applySet(ctx: Context, wanted: SecretSetDeclaration): Promise<BatchOutcome> {
  const { ref, secrets, own, isAdopted, removed = [] } = wanted;
  await waitForSecretRemovals(ctx, ref, secrets.keys());
  const present = await listSecretsOnce(ctx, ref);
  const differing = new Map(
    [...secrets].filter(([name, value]) => present.get(name)?.hash !== sha256(value)),
  );
  const isAsDeclared = (name: string): boolean => secrets.has(name) && !differing.has(name);
  const foreign = [...secrets.keys()].filter((name) => present.has(name) && !own.has(name));
  const going = isAdopted ? [] : await waitForHandOver(ctx, foreign, isAsDeclared);
  refuseForeignNames(secrets.keys(), { present, own: new Set([...own, ...going]), isAdopted }, (names) =>
    problems.hasAlready.message({ ref, names }),
  );
  const gone = removed.filter((name) => present.has(name));
  if (differing.size + gone.length === 0) return takeWrittenNames(ctx, secrets, { done: 0, failed: [] });
  // A later run would take them for somebody else's.
  ctx.ledger.keep(ref, { names: [...secrets.keys()].sort() });
  const write = (): Promise<BatchOutcome> =>
    runForEach(ctx, differing, async (name, value) => {
      await writeSecret(ctx, ref, { name, value });
      await addToListing(ctx, ref, { name, value });
    });
  const remove = (): Promise<BatchOutcome> => removeAll(ctx, ref, gone);
  const [first, second] = isRoomFor(differing, present) ? [write, remove] : [remove, write];
  const done = await first();
  return takeWrittenNames(ctx, secrets, mergeOutcomes(done, await second()));
}

/** Secrets that a project may have beside the service's own (service, Function secrets). */
const MOST_SECRETS = 100;

function isRoomFor(added: ReadonlyMap<string, unknown>, present: ReadonlyMap<string, unknown>): boolean {
  return new Set([...added.keys(), ...present.keys()]).size <= MOST_SECRETS;
}

/**
 * Looks whether what was written is there: another program that runs at the same time may remove a name, which is written
 * once more, or give it another value, which is only told, as the two would take turns otherwise.
 */
export async function keepWritten(
  ctx: Context,
  ref: string,
  secrets: ReadonlyMap<string, string>,
): Promise<void> {
  if (secrets.size === 0) return;
  forgetSecrets(ctx, ref);
  const present = await listSecretsOnce(ctx, ref);
  const missing = new Map([...secrets].filter(([name]) => !present.has(name)));
  const others = [...secrets].flatMap(([name, value]) => {
    const there = present.get(name);
    return there === undefined || isHeld(there, sha256(value)) ? [] : [name];
  });
  if (others.length > 0) ctx.warn(problems.writtenElsewhere.message({ ref, names: formatCodeList(others) }));
  if (missing.size === 0) return;
  ctx.info(`another program deleted ${formatCodeList([...missing.keys()])}: written once more`);
  requireDone(await applySet(ctx, { ref, secrets: missing, own: new Set(missing.keys()), isAdopted: false }));
}

function takeWrittenNames(
  ctx: Context,
  secrets: ReadonlyMap<string, string>,
  outcome: BatchOutcome,
): BatchOutcome {
  const failed = new Set(outcome.failed.map(({ name }) => name));
  ctx.program.takeNames([...secrets.keys()].filter((name) => !failed.has(name)));
  return outcome;
}

/** Removes secrets in bulk. */
export function removeAll(ctx: Context, ref: string, names: readonly string[]): Promise<BatchOutcome> {
  return runForEach(ctx, new Map(names.map((name) => [name, name])), (name) => removeSecret(ctx, ref, name));
}

/** Throws where not everything was done; where a part was, the message names the rest. */
export function requireDone({ done, failed }: BatchOutcome): void {
  const [first] = failed;
  if (first === undefined) return;
  const { reason } = first;
  if (!(reason instanceof ApiError) || done === 0) throw reason;
  const names = formatCodeList(failed.map(({ name }) => name));
  throw replaceMessage(reason, problems.notWritten.message({ names, answer: reason.message }));
}
