import fc from "fast-check";
import { PullRequestsError, readPullRequests } from "../../previews/pull-requests";

it.each([
  ["", []],
  [" \n", []],
  ["[]", []],
  ["12\n7\n", [12, 7]],
  ["#12, #7 7", [12, 7]],
  ["[12, 7]", [12, 7]],
  ['[{"number": 12, "title": "A"}, {"number": 7}]', [12, 7]],
  ['[{"iid": 12, "id": 99}, 7]', [12, 7]],
])("reads %j", (text, numbers) => {
  expect([...readPullRequests(text)]).toEqual(numbers);
});

it.each([
  "<html>502</html>",
  '{"message": "Bad credentials"}',
  "[12",
  '[{"title": "A"}]',
  '["12"]',
  "[0]",
  "12 x",
  "-1",
  "1.5",
  "null",
])("takes %j for no list", (text) => {
  expect(() => readPullRequests(text)).toThrow(PullRequestsError);
  expect(() => readPullRequests(text)).toThrow("Nothing is removed.");
});

it("reads every list of numbers, however it is written, and no number that is not there", () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { minLength: 1 });
  const writings = [
    (list: number[]) => list.join("\n"),
    (list: number[]) => list.map((one) => `#${one}`).join(", "),
    (list: number[]) => JSON.stringify(list),
    (list: number[]) => JSON.stringify(list.map((number) => ({ number }))),
  ];
  fc.assert(
    fc.property(numbers, fc.constantFrom(...writings), (list, write) => {
      expect([...readPullRequests(write(list))]).toEqual(list);
    }),
  );
});
