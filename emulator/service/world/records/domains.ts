import { z } from "zod";
import { time } from "./fields";

export const customHostnameRecord = z.strictObject({
  id: z.string(),
  hostname: z.string(),
  ownershipValue: z.string(),
  validationValue: z.string(),
  /** When it was initialized; null where the record for the certificate shows at once. */
  initializedAt: time.nullable().default(null),
  /** When the service found the record that proves ownership. */
  ownershipVerifiedAt: time.nullable().default(null),
  /** When the certificate was validated as well. */
  verifiedAt: time.nullable(),
  activatedAt: time.nullable(),
});
export type CustomHostnameRecord = z.infer<typeof customHostnameRecord>;
