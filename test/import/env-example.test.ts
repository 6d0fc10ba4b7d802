import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { formatEnvExample } from "../../import/documents";
import { HOSTILE_TEXTS, hostileText, UNSEEN } from "../kit/hostile-texts";
import { useFolder } from "./sources/folder";

const folder = useFolder();

it("gives a shell the variables of the program and no other, whatever the secrets are called", () => {
  const names = [
    ...Object.values(HOSTILE_TEXTS),
    ...Object.values(HOSTILE_TEXTS).map((text) => `X${text}`),
    ...fc.sample(hostileText, { numRuns: 200, seed: 41 }),
    ...["PAYMENT_TOKEN", "_x", "PGVECTOR_SIZE", "AWSOME_KEY", "1ST", "A-B", "a b", "é", ""],
    // What a shell or a tool acts on.
    ...[
      "PATH",
      "BASH_ENV",
      "LD_PRELOAD",
      "NODE_OPTIONS",
      "MANAGEMENT_TRACE",
      "PULUMI_BACKEND_URL",
      "https_proxy",
      // By which the engine's state backend and plugins find their accounts.
      "AWS_ACCESS_KEY_ID",
      "AWS_ENDPOINT_URL_S3",
      "AZURE_STORAGE_KEY",
      "ARM_CLIENT_SECRET",
      "GOOGLE_CREDENTIALS",
      "CLOUDSDK_CONFIG",
      "VAULT_ADDR",
      "PGPASSWORD",
      "GITHUB_TOKEN",
    ],
  ];
  const text = formatEnvExample({
    ...{
      projectRef: "abcdefghijklmnopqrst",
      name: "shop",
      objects: [],
      leftOut: [],
      omitted: [],
      failed: [],
      choices: [],
    },
    differences: [],
    secrets: names.map((name) => ({ name, compared: "not given" })),
  });
  expect(text).not.toMatch(UNSEEN);
  const file = join(folder.path, "env");
  writeFileSync(file, text);
  const before = readdirSync(folder.path);
  const { stdout, stderr, status } = spawnSync("/bin/sh", ["-c", "set -a; . ./env; /usr/bin/env -0"], {
    cwd: folder.path,
    env: { PATH: "/usr/bin:/bin" },
    encoding: "utf8",
  });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const seen = stdout.split("\0").flatMap((line) => (line === "" ? [] : [line.slice(0, line.indexOf("="))]));
  const ofShell = ["PATH", "PWD", "OLDPWD", "SHLVL", "_"];
  const wordlike = names.filter(
    (name) =>
      /^[A-Za-z]\w*$/.test(name) &&
      !/^(?:PATH|BASH_ENV|LD_|NODE_|MANAGEMENT_|PULUMI_|https_|AWS_|AZURE_|ARM_|GOOGLE_|CLOUDSDK_|VAULT_|GITHUB_|PGPASSWORD)/.test(
        name,
      ),
  );
  expect(new Set(seen.filter((name) => !ofShell.includes(name)))).toEqual(
    new Set(["MANAGEMENT_BASE_URL", "MANAGEMENT_ACCESS_TOKEN", "_x", "__proto__", ...wordlike]),
  );
  expect(stdout).toContain("PATH=/usr/bin:/bin");
  expect(readdirSync(folder.path)).toEqual(before);
  expect(existsSync("/tmp/pwned-7")).toBe(false);
});
