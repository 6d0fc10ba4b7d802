import { serveStatic } from "@hono/node-server/serve-static";
import { join } from "node:path";
import { Hono } from "hono";
import { packageFile } from "../../machine/package-file";
import type { AppEnv } from "../../service/server/app";

/** The files of the page, by the path at which they are served. */
const files = { "/": "index.html", "/_page/page.css": "page.css", "/_page/page.js": "page.js" };

/** The page for people who look; what it shows comes from the control API, which answers this machine only. */
export function createPageApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  for (const [path, file] of Object.entries(files)) {
    app.get(path, async (context, next) => {
      context.header("cache-control", "no-cache");
      context.header(
        "content-security-policy",
        "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
      );
      return serveStatic<AppEnv>({ path: publicFile(file) })(context, next);
    });
  }
  return app;
}

function publicFile(name: string): string {
  const file = packageFile(join("emulator", "desk", "page", "public", name));
  if (file === undefined) throw new Error(`This package lacks ${name}, a file of the page`);
  return file;
}
