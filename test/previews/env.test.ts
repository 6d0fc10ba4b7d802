import { execFileSync } from "node:child_process";
import { readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { formatEnv } from "../../previews/env-text";
import { run } from "../../previews/run";
import { parseEnvText } from "../../provider/resources/functions/shared/env-file";
import { useFakePulumi } from "./fake-pulumi";

const pulumi = useFakePulumi();

async function env(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const ran = { out: "", err: "" };
  const streams = {
    out: (text: string) => void (ran.out += text),
    err: (text: string) => void (ran.err += text),
  };
  const about = ["--stack", "pr-7", "--work-dir", pulumi.folder, "--file", file()];
  return { code: await run(["env", ...about, ...args], streams), ...ran };
}
const file = (): string => join(pulumi.folder, ".env");
const written = (): Record<string, unknown> => ({ ...parseEnv(readFileSync(file(), "utf8")) });

const PLAIN = { ref: "b", apiUrl: "https://b.example.com", publishableKey: "pk_1", summary: "### Preview" };
const SECRET = { connectionString: "postgres://postgres:pa$$@b.example.com/postgres" };

it("a front end gets what it needs, with its prefix, and no secret", async () => {
  pulumi.outputs(PLAIN, SECRET);
  expect(await env("--prefix", "VITE_")).toEqual({ code: 0, out: `${file()}: 3 variables\n`, err: "" });
  expect(written()).toEqual({
    VITE_REF: "b",
    VITE_API_URL: "https://b.example.com",
    VITE_PUBLISHABLE_KEY: "pk_1",
  });
  expect(pulumi.calls()).toEqual([]);
});

it("with --secrets they are in it, without the prefix that build tools publish", async () => {
  pulumi.outputs(PLAIN, SECRET);
  const { out, err } = await env("--prefix", "VITE_", "--secrets");
  expect(written()).toMatchObject({ VITE_REF: "b", CONNECTION_STRING: SECRET.connectionString });
  expect(out + err).not.toContain("pa$$");
});

it("nobody else can read the file, whatever the former one's mode was", async () => {
  pulumi.outputs(PLAIN);
  await env();
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  execFileSync("chmod", ["644", file()]);
  await env();
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

it("a file that it did not write stays, and so does what a link leads to", async () => {
  pulumi.outputs(PLAIN);
  writeFileSync(file(), "MINE=1\n");
  expect(await env()).toMatchObject({
    code: 1,
    err: expect.stringContaining("exists, and this command did not write it") as string,
  });
  symlinkSync(file(), join(pulumi.folder, "link"));
  expect((await env("--file", join(pulumi.folder, "link"))).code).toBe(1);
  expect(readFileSync(file(), "utf8")).toBe("MINE=1\n");
});

it("says where a stack is looked for that there is none of", async () => {
  expect(await env()).toEqual({
    code: 1,
    out: "",
    err: expect.stringMatching(/no stack .*--work-dir/) as string,
  });
});

it("an output that cannot be written is told by name, without its value", async () => {
  pulumi.outputs({ ...PLAIN, motto: `'"hunter2`, "1st": "x", api_url: "y" });
  const { code, err } = await env();
  expect(code).toBe(0);
  expect(err).toContain("The output motto is left out: tools read its quotes,");
  expect(err).toContain("The output 1st is left out");
  expect(err).toContain("The output api_url is left out: its variable API_URL is that of apiUrl");
  expect(err).not.toContain("hunter2");
});

it.each([
  [["env"], "required option '--stack <name>' not specified"],
  [["env", "--stack", "x", "--prefix", "a-b"], "--prefix takes letters, digits and _"],
])("%j is refused with 2", async (args, why) => {
  let said = "";
  expect(await run(args, { out: () => undefined, err: (text) => void (said += text) })).toBe(2);
  expect(said).toContain(why);
});

/** How the most used package of that purpose reads a file. */
function parseAsDotenv(text: string): Record<string, string> {
  const LINE =
    /(?:^|^)\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?(?:$|$)/gm;
  return Object.fromEntries(
    [...text.matchAll(LINE)].map(([, name = "", raw = ""]) => {
      const value = raw.trim().replace(/^(['"`])([\s\S]*)\1$/m, "$2");
      const isDouble = raw.trim().startsWith('"');
      return [name, isDouble ? value.replaceAll("\\n", "\n").replaceAll("\\r", "\r") : value];
    }),
  );
}

it("every parser reads back what is written", () => {
  const awkward = fc.constantFrom(
    "'",
    '"',
    "`",
    "\\",
    "$",
    "\n",
    "\r",
    "#",
    "=",
    " ",
    "\t",
    "${A}",
    "\\n",
    "\\'",
    "é",
    "A",
  );
  const text = fc.oneof(
    fc.array(awkward, { maxLength: 8 }).map((parts) => parts.join("")),
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.webUrl(),
  );
  let read = 0;
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 3 }), (values) => {
      const outputs = values.map((value, index) => ({ name: `out${index}`, value, isSecret: false }));
      const { text: file, leftOut } = formatEnv(outputs, "VITE_");
      const given = Object.fromEntries(
        outputs.map(({ name, value }) => [`VITE_${name.toUpperCase()}`, value]),
      );
      const ours = Object.fromEntries(parseEnvText(file).values);
      expect(given).toMatchObject(ours);
      expect(Object.keys(ours)).toHaveLength(values.length - leftOut.length);
      expect({ ...parseEnv(file) }).toEqual(ours);
      expect(parseAsDotenv(file)).toEqual(ours);
      read += Object.keys(ours).length;
    }),
    { numRuns: 500 },
  );
  expect(read).toBeGreaterThan(300);
});

it("a backslash at the end does not run into the next line", () => {
  const outputs = ["a\\", "# b", "c"].map((value, index) => ({
    name: `out${index}`,
    value,
    isSecret: false,
  }));
  expect(parseAsDotenv(formatEnv(outputs, "").text)).toEqual({ OUT1: "# b", OUT2: "c" });
});

it("a shell reads it back and runs nothing of it", () => {
  const values = ["$(touch x) `touch x` $HOME", "it's #1", "a\nb", "\\n", " "];
  const outputs = [
    ...values.map((value, index) => ({ name: `out${index}`, value, isSecret: true })),
    { name: "list", value: { motto: `it's "x" \\\\ \\ $HOME` }, isSecret: false },
  ];
  writeFileSync(file(), formatEnv(outputs, "").text);
  const script = 'set -a; . "$1"; exec "$2" -p "JSON.stringify(process.env)"';
  const shown = execFileSync("sh", ["-c", script, "sh", file(), process.execPath], { encoding: "utf8" });
  const seen = JSON.parse(shown) as Record<string, string>;
  expect(values.map((_, index) => seen[`OUT${index}`])).toEqual(values);
  expect(JSON.parse(seen["LIST"] ?? "")).toEqual({ motto: `it's "x" \\\\ \\ $HOME` });
});

it("leaves out what build tools would expand from the job's environment into what they publish", async () => {
  const { text: plain, leftOut } = formatEnv(
    ["${TOKEN}", "a$TOKEN", "$(id)", "a\nTOKEN=b"].map((value, index) => ({
      name: `out${index}`,
      value,
      isSecret: false,
    })),
    "VITE_",
  );
  expect(plain).not.toContain("VITE_");
  expect(leftOut).toHaveLength(4);
  const listed = formatEnv([{ name: "list", value: ["${TOKEN}"], isSecret: false }], "VITE_");
  expect(listed.text).toContain(String.raw`VITE_LIST='["\u0024{TOKEN}"]'`);
  pulumi.outputs({ ...PLAIN, motto: "${TOKEN}" });
  const { code, err } = await env("--prefix", "VITE_");
  expect({ code, err }).toEqual({
    code: 0,
    err: expect.stringContaining("The output motto is left out: ") as string,
  });
});
