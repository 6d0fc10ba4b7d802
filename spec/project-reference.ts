/** The reference of a project or branch: twenty lower-case letters. */
export const REFERENCE = /^[a-z]{20}$/;

export function isReference(text: string): boolean {
  return REFERENCE.test(text);
}
