import { QuotaError, ResponseSchemaError, TimeoutError } from "../../../client/errors/errors";
import { quoteServiceMessage } from "../../../client/errors/with-message";
import type { Api, Context } from "../../../define/context";
import { waitingProblems } from "../../../define/problems";
import { waitThroughStates } from "../../../waiting/project-state";

const PAUSE_MS = 10_000;

/** How the service says that the change before is under way; any other quota does not pass by waiting (service, Limits). */
const UNDER_WAY = /processing.*change|change.*(in progress|under ?way)/i;

type Addon = Awaited<ReturnType<Api["listAddons"]>>[number];

/** A selected add-on that names its variant. */
export interface SelectedAddon extends Addon {
  readonly variant: Addon["variant"] & { readonly id: string };
}

/** Changes an add-on once the service has finished the change before it, which it refuses with 429 until then. */
export async function retryWhileChanging<T>(ctx: Context, ref: string, change: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof QuotaError) || !UNDER_WAY.test(error.serviceMessage)) throw error;
      if (ctx.clock.now() + PAUSE_MS >= ctx.deadlineMs) throw createStillChangingError(ref, error);
      ctx.progress("waiting for the service to finish the previous add-on change");
      await waitThroughStates(ctx, ref);
      await ctx.clock.sleep(PAUSE_MS, ctx.signal);
    }
  }
}

/** The change surely did not happen. */
function createStillChangingError(ref: string, refusal: QuotaError): TimeoutError {
  const what = `the service to finish the previous add-on change in the project ${ref}`;
  const reason = `this change is rejected${quoteServiceMessage(refusal)}`;
  return new TimeoutError(waitingProblems.gaveUp.message({ what, reason }), false);
}

/** What is selected of one type; an answer that does not name the variant says nothing about it. */
export function findSelected(addons: readonly Addon[], type: string): SelectedAddon | undefined {
  const found = addons.find((addon) => addon.type === type);
  if (found === undefined) return undefined;
  const { variant } = found;
  if (variant?.id == null) throw createMissingVariantError();
  return { ...found, variant: { ...variant, id: variant.id } };
}

function createMissingVariantError(): ResponseSchemaError {
  return new ResponseSchemaError(
    "listAddons failed: the answer has no `selected_addons.variant.id`. Run again.",
    "listAddons",
    "selected_addons.variant.id",
  );
}
