import { readPatterns } from "../../../../../../provider/resources/functions/shared/edge-functions/static-patterns";

const matches = (pattern: string, path: string): boolean => {
  try {
    readPatterns([pattern], true).requireMatches([path]);
    return true;
  } catch {
    return false;
  }
};

it.each([
  ["*.html", "a.html", true],
  ["*.html", "pages/a.html", false],
  ["pages/*", "pages/a.html", true],
  ["pages/*", "pages/deep/a.html", false],
  ["**/*.html", "a.html", true],
  ["**/*.html", "pages/deep/a.html", true],
  ["pages/**", "pages/deep/a.html", true],
  ["./pages/../pages/*", "pages/a.html", true],
  ["?.html", "a.html", true],
  ["?.html", "ab.html", false],
  ["[ab].html", "b.html", true],
  ["[!ab].html", "b.html", false],
  ["*.{html,txt}", "a.html", false],
  ["!*.txt", "a.html", false],
  ["@(a|b)*", "a.html", false],
  ["*", ".env", false],
  ["**", ".data/a.json", false],
  [".data/*", ".data/a.json", false],
  ["*.pem", "ca.pem", false],
  ["A*", "a.html", false],
  ["../_shared/*.html", "../_shared/a.html", true],
  ["../_shared/*.html", "_shared/a.html", false],
  ["../**/*.html", "../_shared/deep/a.html", true],
  ["**/*.html", "../_shared/a.html", false],
  ["../*/a.html", "../../a/a.html", false],
])("%s and %s: %s", (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

it("takes a pattern without a wildcard for a path", () => {
  expect(readPatterns(["./a.html", "b*", "dir/{c}.txt", ".env"], false).named).toEqual([
    "a.html",
    "dir/{c}.txt",
    ".env",
  ]);
});
