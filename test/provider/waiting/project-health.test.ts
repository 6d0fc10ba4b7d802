import { readHealthError } from "../../../provider/waiting/project-health";

// service, Health: `error` is text that holds JSON.
it.each([
  ['{"error":"not found"}', "not found"],
  ['{"message":"disk is full"}', "disk is full"],
  ["not found", "not found"],
  ["", ""],
  ['{"error":{"code":7}}', '{"error":{"code":7}}'],
  ['"quoted"', '"quoted"'],
  ["{broken", "{broken"],
])("reads %s as %s", (error, text) => {
  expect(readHealthError(error)).toBe(text);
});
