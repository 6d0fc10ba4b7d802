/** The function secret of a branch by which a preview ends: a whole number of hours from the branch's creation on. */
export const TTL_SECRET = "PREVIEW_TTL_HOURS";

/** A year. */
export const MOST_TTL_HOURS = 8_760;
