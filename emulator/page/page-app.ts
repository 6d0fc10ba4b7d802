import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Hono } from "hono";
import { packageFile } from "../package-file";
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
      context.body(await readFile(publicFile(file), "utf8"), 200, {
        "content-type": contentType,
        "cache-control": "no-cache",
        "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
      }),
    );
  }
  return app;
}

/** The published package keeps the files where the sources have them. */
function publicFile(name: string): string {
  const file = packageFile(join("emulator", "page", "public", name));
  if (file === undefined) throw new Error(`This package lacks ${name}, a file of the page`);
  return file;
}
