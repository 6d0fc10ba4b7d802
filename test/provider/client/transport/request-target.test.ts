import { formatPath, formatQuery } from "../../../../provider/client/transport/request-target";
import type { Operation } from "../../../../spec/operation";
import { operations } from "../../../../spec/table";
import { HOSTILE_TEXTS } from "../../../kit/hostile-texts";

const HOSTILE = [
  ...Object.values(HOSTILE_TEXTS),
  ...[
    "../x",
    "a/b",
    "/",
    "//evil.example.com/",
    "%2e%2e",
    "%2F",
    "..%2f",
    "a?b=c",
    "a#b",
    "a;b",
    "a\\b",
    "\t",
    " ",
  ],
];
const all: readonly [string, Operation][] = Object.entries(operations);
const paths = all.flatMap(([name, { path, params }]) =>
  Object.keys(params.shape).map((parameter) => ({ name, path, parameter, params })),
);

it("makes one part of the path of whatever stands for a parameter, in every operation", () => {
  expect(paths.length).toBeGreaterThan(150);
  const wrong = paths.flatMap(({ name, path, parameter, params }) =>
    HOSTILE.filter((text) => text.isWellFormed()).flatMap((text) => {
      const others = Object.fromEntries(Object.keys(params.shape).map((each) => [each, "x"]));
      const { pathname, search, hash, host } = new URL(
        formatPath(name, path, { ...others, [parameter]: text }),
        "https://api.example.com",
      );
      const parts = pathname.split("/");
      const wanted = path.split("/").map((part) => (part.startsWith("{") ? "x" : part));
      const at = path.split("/").indexOf(`{${parameter}}`);
      const isRight =
        search + hash === "" &&
        host === "api.example.com" &&
        parts.length === wanted.length &&
        parts.every((part, index) =>
          index === at ? decodeURIComponent(part) === text : part === wanted[index],
        );
      return isRight ? [] : [`${name} ${parameter} ${JSON.stringify(text)}: ${pathname}`];
    }),
  );
  expect(wrong).toEqual([]);
});

it.each(["", ".", "..", "a\ud800", undefined, null, {}])("refuses %j as a part of a path", (value) => {
  const parts = { ref: "x", function_slug: value };
  const format = (): string =>
    formatPath("getFunction", "/v1/projects/{ref}/functions/{function_slug}", parts);
  expect(format).toThrow('"function_slug" is required for the address of the call');
});

it("keeps a query's texts apart", () => {
  for (const text of HOSTILE.map((each) => each.toWellFormed())) {
    const { searchParams } = new URL(`https://api.example.com/${formatQuery({ a: text, b: [text, "c"] })}`);
    expect([...searchParams]).toEqual([
      ["a", text],
      ["b", text],
      ["b", "c"],
    ]);
  }
});
