import { parseServerTime } from "../../../../../provider/resources/auth/shared/signing-keys";

// service, Signing keys: the form of the time is not known.
it.each([
  "Please wait until 2026-01-01T00:02:00.000Z",
  "Please wait until 2026-01-01T00:02:00Z.",
  "Please wait until 2026-01-01T01:02:00+01:00 to create a signing key",
  "Please wait until 2026-01-01T01:02:00+0100",
  "Please wait until 2026-01-01 00:02:00 UTC",
  "Please wait until 2026-01-01 00:02:00",
  "please wait until 2026-01-01T00:02:00",
  "Please wait until 2026-01-01 00:02",
  "Please wait until Thu, 01 Jan 2026 00:02:00 GMT",
  "Please wait until Thu Jan 01 2026 01:02:00 GMT+0100 (Central European Standard Time)",
  "Please wait until 1/1/2026, 12:02:00 AM",
])("the time in `%s` is read", (message) => {
  expect(parseServerTime(message)).toBe(Date.UTC(2026, 0, 1, 0, 2));
});

it.each(["Please wait", "Please wait until later", "Please wait until 2026-13-01T00:00:00Z", ""])(
  "`%s` names no time",
  (message) => expect(parseServerTime(message)).toBeUndefined(),
);
