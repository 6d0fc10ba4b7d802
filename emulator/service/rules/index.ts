import { handlers } from "./handlers.generated";
import { withNewerFields } from "./newer/with-newer-fields";
import { withPausedAnswers } from "./projects/paused-answers";
import type { Handlers } from "./shared/handler";

/** The business rules of every operation that concerns the state. */
export const ruleHandlers: Handlers = withNewerFields(withPausedAnswers(handlers));
