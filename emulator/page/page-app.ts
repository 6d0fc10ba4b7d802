import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { existsSync } from "node:fs";
import { Hono } from "hono";
import type { AppEnv } from "../server/app";

/** The files of the page as they are, by the path at which they are served. */
const files: Readonly<Record<string, { readonly file: string; readonly contentType: string }>> = {
  "/": { file: "index.html", contentType: "text/html; charset=utf-8" },
  "/_page/page.css": { file: "page.css", contentType: "text/css; charset=utf-8" },
  "/_page/page.js": { file: "page.js", contentType: "text/javascript; charset=utf-8" },
};

/** The page for people who look; what it shows comes from the control API, which answers this machine only. */
export function createPageApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const [path, { file, contentType }] of Object.entries(files)) {
    app.get(path, async (context) =>
      context.body(await readFile(join(publicFolder(), file), "utf8"), 200, {
        "content-type": contentType,
        "cache-control": "no-cache",
        "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
      }),
    );
  }
  return app;
}

/** Beside this file in the sources; the published package keeps the files there, too. */
function publicFolder(): string {
  for (let folder = __dirname; folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "emulator", "page", "public");
    if (existsSync(join(found, "index.html"))) return found;
  }
  throw new Error("The files of the page are missing from this package");
}
