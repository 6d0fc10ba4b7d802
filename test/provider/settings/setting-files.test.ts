import { sha256 } from "../../../provider/core/sha256";
import { FILE_HASHES, isSameText, formatTextHash } from "../../../provider/settings/mapping/setting-files";

const byHash = (text: string): string => formatTextHash({ [FILE_HASHES]: { file: sha256(text) } }, "file");
const unknown = formatTextHash({}, "file");

it.each([
  ["a", "a", true],
  ["a", "b", false],
  ["a", byHash("a"), true],
  [byHash("a"), "a", true],
  [byHash("a"), byHash("a"), true],
  [byHash("a"), "b", false],
  // Nothing is known of either text.
  [unknown, unknown, false],
  [unknown, "a", false],
  ["a", unknown, false],
])("of the texts %j and %j, the same is %s", (one, other, isSame) => {
  expect(isSameText(one, other)).toBe(isSame);
});
