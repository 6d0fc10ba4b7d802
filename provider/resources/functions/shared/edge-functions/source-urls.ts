import { join, posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Where the files of a source are for modules and import maps, which name them by URLs: with `%20`, `?` and `#`. */
export class SourceUrls {
  readonly #root: string;

  /** Inline files have no folder. */
  constructor(folder: string | undefined) {
    this.#root = resolve(folder ?? "/source");
  }

  /** Of a path relative to the source folder; `""` is the folder itself. */
  urlOf(path: string): URL {
    return pathToFileURL(join(this.#root, path));
  }

  /** The path relative to the source folder, in its one form: `../hello/text.ts` within `hello` is `text.ts`. */
  pathOf(url: URL): string {
    return posix.relative(decoded(pathToFileURL(this.#root)), decoded(url));
  }
}

/** A `%` that escapes nothing stands for itself. */
function decoded({ pathname }: URL): string {
  return pathname.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}
