/** The slug of an organization: letters, digits, `_` and `-`. */
export const ORGANIZATION_SLUG = /^[\w-]+$/;
