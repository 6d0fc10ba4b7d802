import { symlinkSync } from "node:fs";
import { join } from "node:path";
import {
  hashSource,
  readSource,
  toUpload,
  type SourceInputs,
} from "../../../provider/resources/functions/shared/edge-functions/source";
import { SourceFault } from "../../../provider/resources/functions/shared/edge-functions/problems";
import { parseImportMap } from "../../../provider/resources/functions/shared/edge-functions/source-imports";
import { useFifo } from "./fifo";
import { MAPPED_FUNCTION, useSourceFolder } from "./source-folder";

const source = useSourceFolder();
const write = source.write;
const fifo = useFifo();

const inFolder = (folder: string, more: SourceInputs = {}): SourceInputs => ({
  sourceDir: source.path(folder),
  ...more,
});
const uploaded = (inputs: SourceInputs): string[] =>
  toUpload(readSource(inputs)).files.map(({ name }) => name);
const hash = (inputs: SourceInputs): string => hashSource(readSource(inputs));
const leftOut = (inputs: SourceInputs): readonly string[] => readSource(inputs).leftOut;
/** As if it had been checked out of version control. */
const asRepository = (folder = ""): void => write({ [join(folder, ".git/HEAD")]: "" });

function fault(inputs: SourceInputs): { property: string; message: string } {
  try {
    readSource(inputs);
  } catch (error) {
    if (error instanceof SourceFault) return { property: error.property, message: error.message };
    throw error;
  }
  throw new Error("the source was read");
}

describe("what belongs to a source", () => {
  it("is every file below the folder, sorted, with `/` in its path", () => {
    write({ "hello/index.ts": "", "hello/lib/b.ts": "", "hello/lib/a.ts": "", "hello/page.html": "" });
    expect(uploaded(inFolder("hello"))).toEqual(["index.ts", "lib/a.ts", "lib/b.ts", "page.html"]);
  });

  it("leaves out version control, installed packages and the ignore files themselves", () => {
    write({
      "hello/index.ts": "",
      "hello/.git/HEAD": "",
      "hello/node_modules/left-pad/index.js": "",
      "hello/lib/node_modules/x.js": "",
      "hello/.funcignore": "",
    });
    expect(uploaded(inFolder("hello"))).toEqual(["index.ts"]);
  });

  it("respects ignore files in the folder and below it, the nearest first", () => {
    write({
      "hello/index.ts": "",
      "hello/.gitignore": "*.log\nbuild/\n",
      "hello/.funcignore": "*.test.ts\n",
      "hello/index.test.ts": "",
      "hello/a.log": "",
      "hello/build/x.ts": "",
      "hello/lib/.gitignore": "!keep.log\n",
      "hello/lib/keep.log": "",
      "hello/lib/drop.log": "",
    });
    expect(uploaded(inFolder("hello"))).toEqual(["index.ts", "lib/keep.log"]);
  });

  it("respects the ignore files of the repository above, unless they exclude the folder itself", () => {
    write({
      ".git/HEAD": "",
      ".gitignore": ".env\ndist/\n",
      "hello/index.ts": "",
      "hello/.env": "TOKEN=1",
      "dist/hello/index.ts": "",
      "dist/hello/env.example": "",
    });
    expect(uploaded(inFolder("hello"))).toEqual(["index.ts"]);
    expect(uploaded(inFolder("dist/hello"))).toEqual(["env.example", "index.ts"]);
  });

  it.each([".gitignore", ".funcignore"])(
    "without a repository respects %s in the folder of all functions, and none further above",
    (file) => {
      write({
        [file]: "*.md\n",
        [`functions/${file}`]: "*.txt\n",
        "functions/hello/index.ts": "",
        "functions/hello/a.txt": "",
        "functions/hello/a.md": "",
      });
      expect(uploaded(inFolder("functions/hello"))).toEqual(["a.md", "index.ts"]);
    },
  );

  it("without a repository respects the ignore files up to the program's folder", () => {
    write({
      ".gitignore": "*.md\n",
      "program/.gitignore": "*.txt\n",
      "program/functions/hello/index.ts": "",
      "program/functions/hello/a.txt": "",
      "program/functions/hello/a.md": "",
    });
    const before = process.cwd();
    process.chdir(source.path("program"));
    try {
      expect(uploaded({ sourceDir: "functions/hello" })).toEqual(["a.md", "index.ts"]);
    } finally {
      process.chdir(before);
    }
  });

  it("follows a link to a file of the folder and none that leads outside", () => {
    write({ "hello/index.ts": "", "hello/real.txt": "real", "secret.txt": "secret", "others/x.ts": "" });
    symlinkSync(source.path("hello/real.txt"), source.path("hello/alias.txt"));
    symlinkSync(source.path("secret.txt"), source.path("hello/leak.txt"));
    symlinkSync(source.path("others"), source.path("hello/others"));
    symlinkSync(source.path("nowhere"), source.path("hello/dangling"));
    expect(uploaded(inFolder("hello"))).toEqual(["alias.txt", "index.ts", "real.txt"]);
    expect(leftOut(inFolder("hello"))).toEqual(["dangling", "leak.txt", "others"]);
  });

  it("is no dot file and no known secret file, whatever a link to one is called", () => {
    const secrets = [
      ...[".env", ".env.local", ".npmrc", ".netrc", "_netrc", ".DS_Store", "lib/.hidden.ts"],
      ...["id_rsa", "id_rsa.bak", "id_ed25519", "lib/server.pem", "SERVER.KEY", "keys.p12", "functions.env"],
      ...["credentials.json", "store.jks"],
    ];
    const files = Object.fromEntries(secrets.map((path) => [path, "secret"]));
    const sent = {
      "index.ts": "",
      "env.ts": "",
      "id_rsa.ts": "",
      "key.txt": "",
      monkey: "",
      "credentials/a.txt": "",
    };
    write(
      Object.fromEntries(
        Object.entries({ ...files, ...sent }).map(([path, text]) => [`hello/${path}`, text]),
      ),
    );
    write({ "hello/.cache/deep/a.txt": "" });
    symlinkSync(source.path("hello/.env"), source.path("hello/settings.txt"));
    expect(uploaded(inFolder("hello"))).toEqual(Object.keys(sent).sort());
    expect(leftOut(inFolder("hello"))).toEqual([...secrets, ".cache/", "settings.txt"].sort());
  });

  it("is nothing but regular files: a FIFO is not opened", () => {
    write({ "hello/index.ts": "" });
    fifo(source.path("hello/pipe.txt"));
    expect(uploaded(inFolder("hello"))).toEqual(["index.ts"]);
    expect(leftOut(inFolder("hello"))).toEqual(["pipe.txt"]);
  });

  it("is not read where an ignore file is no regular file", () => {
    write({ "hello/index.ts": "" });
    fifo(source.path("hello/.gitignore"));
    expect(fault(inFolder("hello")).message).toContain(".gitignore is not a regular file");
  });

  it("may have a folder that is a link itself", () => {
    write({ "real/index.ts": "", "real/a.txt": "", "other/b.txt": "" });
    symlinkSync(source.path("real"), source.path("hello"));
    symlinkSync(source.path("real/a.txt"), source.path("real/alias.txt"));
    symlinkSync(source.path("other/b.txt"), source.path("real/b.txt"));
    expect(uploaded(inFolder("hello"))).toEqual(["a.txt", "alias.txt", "index.ts"]);
  });
});

describe("what a module imports", () => {
  const outside = { "repo/hello/index.ts": 'import "../../secret.ts";', "secret.ts": "secret" };

  it("is refused outside of the repository, with the way to it", () => {
    asRepository("repo");
    write(outside);
    expect(fault(inFolder("repo/hello"))).toEqual({
      property: "sourceDir",
      message: expect.stringMatching(
        /^index\.ts:1 imports "\.\.\/\.\.\/secret\.ts", which lies outside of .*repo/,
      ) as string,
    });
  });

  it("is refused behind a link out of the repository, and taken behind one within", () => {
    asRepository("repo");
    write({
      "repo/hello/index.ts": 'import "./within.ts";',
      "repo/_shared/cors.ts": "",
      "secret.ts": "secret",
    });
    symlinkSync(source.path("repo/_shared/cors.ts"), source.path("repo/hello/within.ts"));
    expect(uploaded(inFolder("repo/hello"))).toEqual(["index.ts", "within.ts"]);
    write({ "repo/hello/index.ts": 'import "../_shared/link.ts";' });
    symlinkSync(source.path("secret.ts"), source.path("repo/_shared/link.ts"));
    expect(fault(inFolder("repo/hello")).message).toMatch(
      /^index\.ts:1 imports "\.\.\/_shared\/link\.ts", which leads to .*secret\.ts/,
    );
  });

  it("without version control lies in the program's folder, or in a folder beside it whose name begins with `_`", () => {
    write({
      "functions/hello/index.ts": 'import "../_shared/a.ts";',
      "functions/bye/index.ts": 'import "../hello/index.ts";',
      "functions/_shared/a.ts": "",
    });
    expect(uploaded(inFolder("functions/hello"))).toEqual(["_shared/a.ts", "hello/index.ts"]);
    expect(fault(inFolder("functions/bye")).message).toContain("lies outside of");
    const cwd = process.cwd();
    process.chdir(source.path());
    try {
      expect(uploaded({ sourceDir: "functions/bye" })).toContain("hello/index.ts");
    } finally {
      process.chdir(cwd);
    }
  });

  it("is refused where it is a known secret file or a dot file, unless that is a module or `staticPatterns` names it", () => {
    asRepository();
    write({
      "hello/index.ts":
        '// as from "../.env"\nimport "../.generated/api.ts"; import "./ca.pem"; import "./plain.txt";',
      "hello/.env": "TOKEN=1",
      "hello/ca.pem": "",
      ".generated/api.ts": "",
    });
    symlinkSync(source.path("hello/.env"), source.path("hello/plain.txt"));
    const refusal =
      "is a dot file or may contain secrets, so it is not uploaded automatically. If it may be uploaded, list it in `staticPatterns`.";
    expect(fault(inFolder("hello")).message).toBe(
      `index.ts:2 imports "./ca.pem", which ${refusal} index.ts:2 imports "./plain.txt", which ${refusal}`,
    );
    write({ "hello/index.ts": 'import "../.generated/api.ts"; import "./ca.pem";' });
    const named = inFolder("hello", { staticPatterns: ["ca.pem"] });
    expect(uploaded(named)).toEqual([".generated/api.ts", "hello/ca.pem", "hello/index.ts"]);
    expect(leftOut(named)).toEqual([".env", "plain.txt"]);
  });

  it("is left out with a line where a module that the function does not import names it", () => {
    asRepository();
    write({
      "hello/index.ts": "",
      "hello/other.ts": 'import "../.git/config"; import "../ca.pem";',
      "ca.pem": "",
    });
    write({ ".git/config": "token" });
    expect(uploaded(inFolder("hello"))).toEqual(["index.ts", "other.ts"]);
    expect(leftOut(inFolder("hello"))).toEqual(["../.git/config", "../ca.pem"]);
  });
});

describe("static patterns", () => {
  const inputs = (...staticPatterns: string[]): SourceInputs => inFolder("hello", { staticPatterns });
  beforeEach(() =>
    write({
      "hello/index.ts": "",
      "hello/pages/a.html": "",
      "hello/pages/deep/b.html": "",
      "hello/pages/.draft.html": "",
      "hello/.env": "TOKEN=1",
      "hello/ca.pem": "",
      "hello/dist/.gitignore": "*",
      "hello/dist/app.js": "",
    }),
  );

  it.each(["pages/*.html", "./pages/*", "pages/**", "**/*.html", "pages/?.html", "pages/[ab].html"])(
    "%s names files that are there",
    (pattern) => {
      expect(uploaded(inputs(pattern))).toEqual(["index.ts", "pages/a.html", "pages/deep/b.html"]);
    },
  );

  it.each([
    "page/*.html",
    "*.html",
    "*.{html,ts}",
    "*.pem",
    "*env",
    ".*",
    "dist/*",
    "dist/**",
    "**/.draft.html",
    "pages/.*",
  ])("%s matches nothing that is sent, and is an error", (pattern) => {
    expect(fault(inputs(pattern))).toEqual({
      property: "staticPatterns",
      message: expect.stringContaining(`"${pattern}" matches no file of the source`) as string,
    });
  });

  it("sends a file that it names literally, a dot file, a known secret file and an ignored one as well", () => {
    const named = inputs(".env", "ca.pem", "dist/app.js", "./pages/.draft.html", "pages/a.html");
    expect(uploaded(named)).toEqual(
      [
        ".env",
        "ca.pem",
        "dist/app.js",
        "index.ts",
        "pages/.draft.html",
        "pages/a.html",
        "pages/deep/b.html",
      ].sort(),
    );
    expect(leftOut(named)).toEqual([]);
  });

  it.each([
    ["missing.html", /missing\.html does not exist/],
    ["pages", /pages is a folder, not a file/],
    ["leak.html", /leak\.html leads to .*secret\.html, outside/],
    ["alias.html", /alias\.html leads to \.env/],
  ])("refuse %s, named literally", (pattern, message) => {
    write({ "secret.html": "" });
    symlinkSync(source.path("secret.html"), source.path("hello/leak.html"));
    symlinkSync(source.path("hello/.env"), source.path("hello/alias.html"));
    expect(fault(inputs(pattern))).toMatchObject({ property: "staticPatterns" });
    expect(fault(inputs(pattern)).message).toMatch(message);
  });

  it("match files elsewhere in the repository, as imports do", () => {
    asRepository("repo");
    write({
      "repo/functions/hello/index.ts": "",
      "repo/functions/_shared/templates/a.html": "",
      "repo/functions/_shared/templates/deep/b.html": "",
      "repo/functions/_shared/templates/.draft.html": "",
      "repo/functions/_shared/templates/key.pem": "",
      "repo/functions/_shared/templates/ignored.html": "",
      "repo/functions/_shared/templates/.gitignore": "ignored.html",
      "repo/texts/c.txt": "",
      "secret.html": "",
    });
    symlinkSync(source.path("secret.html"), source.path("repo/functions/_shared/templates/leak.html"));
    const upload = (...staticPatterns: string[]) => {
      const { files, ...more } = toUpload(readSource(inFolder("repo/functions/hello", { staticPatterns })));
      return { ...more, files: files.map(({ name }) => name).sort() };
    };
    expect(upload("../_shared/templates/*.html")).toMatchObject({
      files: ["_shared/templates/a.html", "hello/index.ts"],
      staticPatterns: ["_shared/templates/*.html"],
      entrypoint: "hello/index.ts",
    });
    expect(upload("../_shared/**", "../../texts/c.txt")).toMatchObject({
      files: [
        "functions/_shared/templates/a.html",
        "functions/_shared/templates/deep/b.html",
        "functions/hello/index.ts",
        "texts/c.txt",
      ],
      staticPatterns: ["texts/c.txt", "functions/_shared/**"],
    });
    const matching = inFolder("repo/functions/hello", { staticPatterns: ["../_shared/**"] });
    expect(leftOut(matching)).toEqual(["../_shared/templates/key.pem", "../_shared/templates/leak.html"]);
    for (const [pattern, why] of [
      ["../_shared/*.html", /"\.\.\/_shared\/\*\.html" matches no file/],
      ["../_none/*.html", /_none does not exist/],
      ["../../../*.html", /is outside/],
      ["../_shared/templates/leak.html", /leads to .*secret\.html, outside/],
    ] as const) {
      expect(fault(inFolder("repo/functions/hello", { staticPatterns: [pattern] }))).toMatchObject({
        property: "staticPatterns",
        message: expect.stringMatching(why) as string,
      });
    }
  });

  it("name inline files", () => {
    const files = { "index.ts": "", "a.html": "" };
    expect(uploaded({ files, staticPatterns: ["*.html", "a.html"] })).toEqual(["a.html", "index.ts"]);
    for (const pattern of ["b.html", "*.txt"]) {
      expect(fault({ files, staticPatterns: [pattern] }).property).toBe("staticPatterns");
    }
  });
});

describe("the import graph", () => {
  it("adds files outside the folder and keeps relative imports working", () => {
    write({
      "functions/hello/index.ts": 'import { cors } from "../_shared/cors.ts";',
      "functions/hello/deno.json": "{}",
      "functions/_shared/cors.ts": 'export * from "./headers.ts"; export const cors = 1;',
      "functions/_shared/headers.ts": 'const late = await import("../../lib/late.mjs");',
      "functions/_shared/unused.ts": "",
      "lib/late.mjs": "",
      "functions/hello/pages/a.html": "",
    });
    asRepository();
    const upload = toUpload(readSource(inFolder("functions/hello", { staticPatterns: ["./pages/*.html"] })));
    expect(upload.files.map(({ name }) => name).sort()).toEqual([
      "functions/_shared/cors.ts",
      "functions/_shared/headers.ts",
      "functions/hello/deno.json",
      "functions/hello/index.ts",
      "functions/hello/pages/a.html",
      "lib/late.mjs",
    ]);
    expect(upload).toMatchObject({
      entrypoint: "functions/hello/index.ts",
      importMap: "functions/hello/deno.json",
      staticPatterns: ["functions/hello/pages/*.html"],
    });
  });

  it("adds an imported file that an ignore file excludes", () => {
    write({
      "hello/.gitignore": "generated/\n",
      "hello/index.ts": 'import "./generated/client.ts";',
      "hello/generated/client.ts": "",
      "hello/generated/other.ts": "",
    });
    expect(uploaded(inFolder("hello"))).toEqual(["generated/client.ts", "index.ts"]);
  });

  it("knows a file of the folder again when it is imported by way of the parent", () => {
    write({ "hello/index.ts": 'import "../hello/text.ts";', "hello/text.ts": "" });
    expect(readSource(inFolder("hello")).content.listPaths()).toEqual(["index.ts", "text.ts"]);
  });

  it("keeps the folder in the paths of an upload where an import passes through the parent", () => {
    write({
      "functions/hello/index.ts": 'import "../../functions/hello/text.ts";',
      "functions/hello/text.ts": "",
    });
    expect(uploaded(inFolder("functions/hello"))).toEqual([
      "functions/hello/index.ts",
      "functions/hello/text.ts",
    ]);
  });

  it("resolves bare specifiers by the import map, scopes and the file it names included", () => {
    write(MAPPED_FUNCTION);
    asRepository();
    expect(uploaded(inFolder("hello"))).toEqual([
      "_shared/cors.ts",
      "exact.ts",
      "import_map.json",
      "inner-exact.ts",
      "hello/deno.jsonc",
      "hello/index.ts",
      "hello/inner/a.ts",
    ]);
  });

  it("reads an import map with comments and trailing commas, and no other text", () => {
    expect(parseImportMap('{"imports": {"a": "https://a/*b*/", /* c */ }, }')?.imports).toEqual({
      a: "https://a/*b*/",
    });
    expect(parseImportMap("not json")).toBeUndefined();
  });
});

describe("the hash of a source", () => {
  it("is the same wherever the folder lies and in whatever order files were made", () => {
    write({ "a/index.ts": 'import "../s.ts"', "a/x.ts": "1", "s.ts": "2" });
    write({ "deep/down/s.ts": "2", "deep/down/b/x.ts": "1", "deep/down/b/index.ts": 'import "../s.ts"' });
    asRepository();
    expect(hash(inFolder("a"))).toBe(hash(inFolder("deep/down/b")));
  });

  it("is the same for inline files and a folder of the same content", () => {
    write({ "a/index.ts": "1", "a/lib/x.ts": "2" });
    expect(hash({ files: { "lib/x.ts": "2", "index.ts": "1" } })).toBe(hash(inFolder("a")));
  });

  it("changes with content, paths, entrypoint, import map and static files, and not with a default spelt out", () => {
    const files = { "index.ts": "1", "main.ts": "2", "map.json": "{}" };
    const before = hash({ files });
    expect(hash({ files, entrypointPath: "./index.ts" })).toBe(before);
    const others = [
      hash({ files: { ...files, "index.ts": "3" } }),
      hash({ files: { ...files, "new.ts": "" } }),
      hash({ files, entrypointPath: "main.ts" }),
      hash({ files, importMapPath: "map.json" }),
      hash({ files, staticPatterns: ["*.json"] }),
    ];
    expect(new Set([before, ...others]).size).toBe(6);
  });
});

describe("a source that cannot be deployed", () => {
  it("is a folder that is missing or no folder", () => {
    write({ "file.ts": "" });
    expect(fault(inFolder("missing"))).toEqual({
      property: "sourceDir",
      message: `${source.path("missing")} does not exist.`,
    });
    expect(fault(inFolder("file.ts")).message).toContain("is not a folder");
  });

  it("is one without its entrypoint or its import map", () => {
    write({ "hello/other.ts": "" });
    expect(fault(inFolder("hello"))).toMatchObject({ property: "entrypointPath" });
    expect(fault(inFolder("hello", { entrypointPath: "other.ts", importMapPath: "map.json" }))).toMatchObject(
      {
        property: "importMapPath",
      },
    );
    expect(fault({ files: { "main.ts": "" } })).toEqual({
      property: "entrypointPath",
      message: '`files` has no file "index.ts".',
    });
    expect(fault(inFolder("hello", { entrypointPath: "/index.ts" })).message).toContain("must be relative");
  });

  it("is one whose declared import map is none", () => {
    write({ "hello/index.ts": "", "hello/map.json": "import map", "hello/list.json": "[]" });
    for (const importMapPath of ["map.json", "list.json"]) {
      expect(fault(inFolder("hello", { importMapPath }))).toEqual({
        property: "importMapPath",
        message: `"${importMapPath}" is not an import map: it must be a JSON object.`,
      });
    }
  });

  it("is one of more than 20 MiB", () => {
    write({ "hello/index.ts": "", "hello/big.bin": "x".repeat(20 * 1024 * 1024 + 1) });
    expect(fault(inFolder("hello"))).toMatchObject({ property: "sourceDir" });
    expect(fault(inFolder("hello")).message).toMatch(/larger than 20 MiB.*\.funcignore/);
  });

  it.each(["../x.ts", "/x.ts", "./x.ts", "a//b.ts", "a\\b.ts", "a/", "..", "."])(
    "is one with the inline path %j",
    (path) => {
      expect(fault({ files: { [path]: "" } })).toMatchObject({ property: `files[${JSON.stringify(path)}]` });
    },
  );

  it("is one whose static files lie outside of what there is", () => {
    const elsewhere = { files: { "index.ts": "" }, staticPatterns: ["../pages/*"] };
    expect(fault(elsewhere)).toEqual({
      property: "staticPatterns",
      message: '"../pages/*" must be a relative path of one of `files`.',
    });
    write({ "hello/index.ts": "" });
    expect(fault(inFolder("hello", { staticPatterns: ["/pages/*"] })).message).toBe(
      '"/pages/*" must be a relative path.',
    );
  });
});
