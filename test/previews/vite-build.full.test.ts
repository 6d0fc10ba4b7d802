import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../previews/run";
import { useFakePulumi } from "./fake-pulumi";

const pulumi = useFakePulumi();

const OUTPUTS = { apiUrl: "https://b.example.com", publishableKey: "pk_'1 #2" };
const SECRETS = { connectionString: "postgres://postgres:hush-hush@b.example.com/postgres" };

/** A front end that shows everything that its build tool lets it see. */
const FILES = {
  "package.json": JSON.stringify({ name: "web", private: true, type: "module" }),
  "index.html": '<script type="module" src="/main.js"></script>',
  "main.js":
    "const { VITE_API_URL, VITE_PUBLISHABLE_KEY, CONNECTION_STRING } = import.meta.env;\n" +
    "document.body.append(VITE_API_URL, VITE_PUBLISHABLE_KEY, CONNECTION_STRING ?? 'no secret', JSON.stringify(import.meta.env));\n",
};

it("gives a build by Vite the address of the preview, and no secret even where the file has one", async () => {
  const web = join(pulumi.folder, "web");
  mkdirSync(web);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(web, name), text);
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "vite@7"], { cwd: web, stdio: "pipe" });
  pulumi.outputs(OUTPUTS, SECRETS);

  const streams = { out: () => undefined, err: () => undefined };
  const about = [
    "--stack",
    "pr-7",
    "--work-dir",
    pulumi.folder,
    "--file",
    join(web, ".env.production.local"),
  ];
  expect(await run(["env", ...about, "--prefix", "VITE_", "--secrets"], streams)).toBe(0);
  // Whatever the tests themselves run with would go before the file.
  const env = { PATH: process.env["PATH"], HOME: process.env["HOME"] };
  execFileSync(process.execPath, [join(web, "node_modules/vite/bin/vite.js"), "build"], {
    ...{ cwd: web, stdio: "pipe", env },
  });

  const assets = join(web, "dist/assets");
  const built = readdirSync(assets).map((name) => readFileSync(join(assets, name), "utf8"));
  expect(built).toHaveLength(1);
  expect(built[0]).toContain(OUTPUTS.apiUrl);
  expect(built[0]).toContain(OUTPUTS.publishableKey);
  expect(built[0]).not.toContain("hush-hush");
});
