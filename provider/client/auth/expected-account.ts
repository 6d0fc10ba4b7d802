import type { CallOptions } from "../call-subject";
import { ApiError, CancelledError, InvalidInputError, isAmbiguous, NetworkError } from "../errors/errors";
import { problems } from "../errors/problems";

/** Whose token it is, as the service says. */
export interface AccountProfile {
  readonly username: string;
  readonly primary_email?: string | null | undefined;
  readonly auth_id?: string | null | undefined;
}

/** Lets writes pass once the token is known to belong to the expected account. */
export class ExpectedAccount {
  readonly #expected: string;
  readonly #read: (options: CallOptions) => Promise<AccountProfile>;
  #isConfirmed = false;
  #other: Error | undefined;
  #checking: Promise<void> | undefined;

  constructor(expected: string, read: (options: CallOptions) => Promise<AccountProfile>) {
    this.#expected = expected;
    this.#read = read;
  }

  /** Throws where a write must not be sent; writes that begin together ask once. */
  async confirm(options: CallOptions): Promise<void> {
    while (!this.#isConfirmed) {
      if (this.#other !== undefined) throw this.#other;
      if (this.#checking === undefined) {
        this.#checking = this.#check(options).finally(() => {
          this.#checking = undefined;
        });
        return this.#checking;
      }
      // Another write's check, which may be cancelled with it: whoever waits looks for himself then.
      await this.#checking.catch(() => undefined);
    }
  }

  async #check(options: CallOptions): Promise<void> {
    const profile = await this.#read(options).catch((error: unknown) => {
      throw createComparisonError(error);
    });
    const names = [profile.username, profile.primary_email, profile.auth_id];
    this.#isConfirmed = names.some((name) => isSame(name, this.#expected));
    if (this.#isConfirmed) return;
    const found = profile.username;
    const message = problems.otherAccount.message({ found, expected: this.#expected });
    this.#other = new InvalidInputError("expectedAccount", message);
    throw this.#other;
  }
}

function isSame(name: string | null | undefined, expected: string): boolean {
  return name != null && name.toLowerCase() === expected.trim().toLowerCase();
}

/** Nothing of it may look like the unclear outcome of the write, which was not sent. */
function createComparisonError(error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  const message = problems.accountUnknown.message({ error: reason });
  if (error instanceof CancelledError) return new CancelledError(error.message);
  if (error instanceof ApiError && !isAmbiguous(error))
    return new InvalidInputError("expectedAccount", message);
  return new NetworkError(message, false);
}
