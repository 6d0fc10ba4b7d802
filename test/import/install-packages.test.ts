import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { installPackages } from "../../import/install-packages";
import { buildProgram } from "../../import/model";
import { useFolder } from "./sources/folder";

const folder = useFolder();

it("hands no token, passphrase or key of a backend to the scripts of packages", async () => {
  const npm = folder.write("bin/npm", '#!/bin/sh\n/usr/bin/env > "$SEEN"\n');
  chmodSync(npm, 0o755);
  const out = join(folder.path, "program");
  mkdirSync(out);
  const seen = join(folder.path, "seen");
  const env = {
    PATH: [join(folder.path, "bin"), process.env["PATH"]].join(delimiter),
    ...{ SEEN: seen, NPM_TOKEN: "of the registry", HOME: folder.path },
    ...{ MANAGEMENT_ACCESS_TOKEN: "secret-1", PULUMI_CONFIG_PASSPHRASE: "secret-2" },
    ...{ AWS_SECRET_ACCESS_KEY: "secret-3", PULUMI_BACKEND_URL: "s3://secret-4" },
  };
  const empty = {
    objects: [],
    secrets: [],
    leftOut: [],
    omitted: [],
    failed: [],
    choices: [],
    differences: [],
  };
  await installPackages({
    ...{ out, env, scratch: folder.path, added: [] },
    program: buildProgram({ projectRef: "abcdefghijklmnopqrst", name: "shop", ...empty }),
    pulumi: () => Promise.reject(new Error("no engine is needed")),
    options: {
      ...{ projectRef: "abcdefghijklmnopqrst", out, language: "typescript", stack: "production" },
      ...{ imports: true, full: false, choose: [], env, say: () => undefined },
    },
  });
  const given = readFileSync(seen, "utf8");
  expect(given).toContain("NPM_TOKEN=of the registry");
  expect(given).not.toContain("secret-");
});
