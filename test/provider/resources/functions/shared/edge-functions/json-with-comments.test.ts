import { jsonWithComments } from "../../../../../../provider/resources/functions/shared/edge-functions/json-with-comments";

it.each([
  ["comments", '{ // one\n "a": /* two */ 1 }', { a: 1 }],
  ["trailing commas", '{"a": [1, 2, ], }', { a: [1, 2] }],
  ["what looks like a comment in a string", '{"a": "https://x.test/*b*/,}"}', { a: "https://x.test/*b*/,}" }],
])("JSON may have %s", (_what, text, value) => {
  expect(jsonWithComments(text)).toEqual(value);
});

it.each([
  ["no JSON", "imports"],
  ["nothing but a comma", "{,}"],
  ["in single quotes", "{'a': 1}"],
  ["nested too deeply", "[".repeat(100_000) + "]".repeat(100_000)],
])("a text that is %s has no value", (_what, text) => {
  expect(jsonWithComments(text)).toBeUndefined();
});
