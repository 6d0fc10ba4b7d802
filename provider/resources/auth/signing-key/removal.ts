import { isNotFound, type ApiError } from "../../../client/errors/errors";
import type { Context } from "../../../define/context";
import { poll, type Verdict } from "../../../waiting/poll";
import { isChangeRefused, isTooSoon, unhurried } from "../shared/signing-key-pace";
import { signingKeysNow, type SigningKeyRecord } from "../shared/signing-keys";
import { deleteKey, setStatus } from "./calls";
import { FORGET_IT, problems } from "./problems";

/** Revokes the key where that is allowed and deletes it when it has been revoked for long enough (service, Signing keys). */
export async function removeKey(ctx: Context, ref: string, id: string): Promise<void> {
  await poll<Verdict<undefined>, undefined>(ctx, {
    what: `signing key ${id} to be deletable`,
    ...unhurried,
    look: async () => {
      const keys = await signingKeysNow(ctx, ref);
      const key = keys.find((each) => each.id === id);
      return key === undefined ? gone : goOn(ctx, ref, key, keys);
    },
    judge: (verdict) => verdict,
  });
}

const gone: Verdict<undefined> = { kind: "done", value: undefined };

async function goOn(
  ctx: Context,
  ref: string,
  key: SigningKeyRecord,
  keys: readonly SigningKeyRecord[],
): Promise<Verdict<undefined>> {
  if (key.status === "in_use") {
    return failed(problems.inUse.message({ id: key.id }));
  }
  try {
    if (key.status === "revoked") {
      await deleteKey(ctx, ref, key.id);
      return gone;
    }
    await setStatus(ctx, ref, key.id, "revoked");
    return { kind: "waiting", reason: "it is revoked now and has to stay so for a while" };
  } catch (error) {
    if (isNotFound(error)) return gone;
    if (!isChangeRefused(error)) throw error;
    return judgeRefusal(key, error, isTooSoon(error, keys, ctx.clock.now()));
  }
}

function judgeRefusal(key: SigningKeyRecord, refusal: ApiError, willPass: boolean): Verdict<undefined> {
  const { serviceMessage } = refusal;
  if (/legacy/i.test(serviceMessage)) {
    return failed(problems.legacy.message({ id: key.id, answer: serviceMessage }));
  }
  if (key.status === "revoked" || willPass) {
    return { kind: "waiting", reason: `it is ${key.status ?? "there"}; the service says: ${serviceMessage}` };
  }
  return failed(
    `The signing key ${key.id} is ${key.status ?? "in an unknown state"} and was not revoked, which it must be before it can be deleted (the service says: ${serviceMessage}). ${FORGET_IT}.`,
  );
}

function failed(message: string): Verdict<undefined> {
  return { kind: "failed", error: new Error(message) };
}
