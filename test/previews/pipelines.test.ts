import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isObject } from "../../spec/is-object";

const root = join(__dirname, "../..");
const files = readdirSync(join(root, "examples"), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".gitlab-ci.yml") && !path.includes("node_modules"))
  .toSorted();
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");

it("there are pipelines of GitLab to look at", () => expect(files.length).toBeGreaterThan(2));

describe.each(files)("examples/%s", (file) => {
  const text = textOf(join("examples", file));
  const jobs = Object.entries(parse(text, { merge: true }) as Readonly<Record<string, unknown>>);

  it("shows no plan, report or log to people who may not read the repository", () => {
    const open = jobs.flatMap(([name, job]) =>
      isObject(job) && isObject(job["artifacts"]) && job["artifacts"]["access"] !== "developer" ? [name] : [],
    );
    expect(open).toEqual([]);
  });

  it("runs an image of one version, and says how to pin it", () => {
    const images = [...text.matchAll(/^\s+image: (\S+)(.*)$/gm)].map(([, image = "", more = ""]) => ({
      image,
      more,
    }));
    expect(images.length).toBeGreaterThan(0);
    expect(images.filter(({ image }) => !/:\d+\.\d+\.\d+(?:@sha256:[0-9a-f]{64})?$/.test(image))).toEqual([]);
    expect(images[0]?.more).toContain("add the digest");
  });
});

/** Whether a line of a script starts a command that has a token among its arguments. */
function hasTokenInArguments(line: string): boolean {
  const script = line
    .replace(/(?:^|\s)#.*/, "")
    .replace(/<<<.*/, "")
    .replace(/^\s*(?:- )?(?:\w+=(?!\$\()\S+ )*/, "");
  return /^\S+ .*\$\{?\w*(?:TOKEN|PASSPHRASE|PASSWORD)\b/.test(script);
}

it.each(["docs/any-ci.md", ...files.map((file) => join("examples", file))])(
  "%s gives no command a token as an argument, which other users of the machine can read",
  (file) => {
    const lines = textOf(file).split("\n");
    expect(lines.filter(hasTokenInArguments)).toEqual([]);
    expect(hasTokenInArguments('  page=$(curl --header "Authorization: Bearer $FORGE_TOKEN" "$url")')).toBe(
      true,
    );
    expect(hasTokenInArguments("    - MANAGEMENT_ACCESS_TOKEN=$TOKEN ./plan.sh --token $TOKEN")).toBe(true);
  },
);
