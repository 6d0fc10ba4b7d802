import { join } from "node:path";
import { cacheRoot } from "../../tools/engine/cache-folder";

test.each([
  ["linux", { HOME: "/home/me" }, join("/home/me", ".cache", "pulumi-management")],
  ["linux", { HOME: "/home/me", XDG_CACHE_HOME: "" }, join("/home/me", ".cache", "pulumi-management")],
  ["linux", { HOME: "/home/me", XDG_CACHE_HOME: "/elsewhere" }, join("/elsewhere", "pulumi-management")],
  ["darwin", { HOME: "/Users/me" }, join("/Users/me", "Library", "Caches", "pulumi-management")],
  ["win32", { LOCALAPPDATA: "/local" }, join("/local", "pulumi-management")],
] as const)("the cache on %s with %j is %s", (platform, env, expected) => {
  expect(cacheRoot(env, platform)).toBe(expected);
});
