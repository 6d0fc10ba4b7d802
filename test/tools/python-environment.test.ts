import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Environment } from "../../tools/engine/engine";
import { providePython, withPython } from "../../tools/engine/python-environment";

let root: string;
let env: Environment;
let lines: string[];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "python-environment-"));
  // Besides the stand-in for Python, only the system's own commands.
  env = {
    XDG_CACHE_HOME: join(root, "cache"),
    PATH: [join(root, "bin"), "/bin"].join(delimiter),
    HOME: root,
  };
  lines = [];
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const provide = () => providePython({ env, log: (line) => lines.push(line) });

/** Makes environments like Python does, with itself in them, and notes what it was asked to do. */
function installPython(pip: string): void {
  mkdirSync(join(root, "bin"), { recursive: true });
  const script = `#!/bin/sh
echo "$2" >> '${join(root, "asked")}'
if [ "$2" = venv ]; then
  mkdir -p "$3/bin" && cp "$0" "$3/bin/python" && touch "$3/bin/pip" "$3/pyvenv.cfg"
else
  ${pip}
fi
`;
  writeFileSync(join(root, "bin", "python3"), script, { mode: 0o755 });
}

const asked = () => readFileSync(join(root, "asked"), "utf8").trim().split("\n");

test("an environment is made once, with the pinned packages, and found by the next run", async () => {
  installPython('echo "$*" > "$(dirname "$0")/../installed"');

  const first = await provide();
  const second = await provide();

  expect(second).toEqual(first);
  expect(asked()).toEqual(["venv", "pip"]);
  expect(readFileSync(join(first.binDir, "..", "installed"), "utf8")).toMatch(/-r .*requirements\.txt/);
  expect(lines.join("\n")).toMatch(/making a virtual environment[^]*installing Pulumi's Python SDK/);
});

test("scripts that name the folder they were made in are not kept", async () => {
  installPython("true");

  const { binDir } = await provide();

  expect(readdirSync(binDir)).toEqual(["python"]);
});

test("an installation that fails leaves nothing, and says why and what to do", async () => {
  installPython('echo "No matching distribution found" >&2; exit 1');

  await expect(provide()).rejects.toThrow(/No matching distribution found[^]*Python 3\.10 or later/);

  expect(readdirSync(join(root, "cache", "pulumi-management", "python"))).toEqual([]);
});

test("an environment whose Python is gone is made again", async () => {
  installPython("true");
  const { python, binDir } = await provide();
  rmSync(python);
  writeFileSync(join(binDir, "left-over"), "");

  await provide();

  expect(asked()).toEqual(["venv", "pip", "venv", "pip"]);
  expect(existsSync(join(binDir, "left-over"))).toBe(false);
});

test("a machine without Python gets an error that says what to install", async () => {
  env = { ...env, PATH: join(root, "bin") };

  await expect(provide()).rejects.toThrow(/neither python3 nor python on PATH[^]*Python 3\.10 or later/);
});

test("a cache folder that cannot be written is the reason given", async () => {
  installPython("true");
  writeFileSync(join(root, "cache"), "a file where the folder should be");

  await expect(provide()).rejects.toThrow(/the cache folder cannot be used: .*(ENOTDIR|EEXIST)/);
});

test("an environment with Python looks there first, and nowhere for another one's packages", () => {
  const python = { python: "/venv/bin/python", binDir: "/venv/bin" };

  expect(withPython({ PATH: "/usr/bin", PYTHONHOME: "/opt/other", LANG: "C" }, python)).toEqual({
    PATH: ["/venv/bin", "/usr/bin"].join(delimiter),
    PYTHONHOME: undefined,
    LANG: "C",
  });
});
