import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPulumiBackend } from "../../../provider/process/pulumi-backend";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "backend-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const login = (): void =>
  writeFileSync(join(folder, "credentials.json"), JSON.stringify({ current: "https://login.example/" }));
const project = (text: string): void => writeFileSync(join(folder, "Pulumi.yaml"), text);

describe("the backend of a program's state", () => {
  it("is what the environment says, then the project's file, then the last login", () => {
    const env = { PULUMI_HOME: folder };
    expect(findPulumiBackend(env, folder)).toBe("");
    login();
    expect(findPulumiBackend(env, folder)).toBe("https://login.example");
    project("name: shop\nbackend:\n  # ours\n  url: s3://bucket # the team's\nruntime: yaml\n");
    expect(findPulumiBackend(env, folder)).toBe("s3://bucket");
    expect(findPulumiBackend({ ...env, PULUMI_BACKEND_URL: "file:///state/" }, folder)).toBe("file:///state");
  });

  it.each([
    'backend: { url: "s3://bucket" }',
    "backend:\n    url: 's3://bucket'",
    "'backend': {url: s3://bucket}",
    "x: &b\n  url: s3://bucket\nbackend: *b",
    "{ name: shop, backend: { url: s3://bucket } }",
  ])("is read from the project's file however that is written: %j", (text) => {
    project(`${text}\n`);
    expect(findPulumiBackend({ PULUMI_HOME: folder }, folder)).toBe("s3://bucket");
  });

  it.each(["backend: [", "backend: 3", "backend:", "backend: {url: 7}"])(
    "is none in a file that says %j",
    (text) => {
      project(text);
      expect(findPulumiBackend({ PULUMI_HOME: folder }, folder)).toBe("");
    },
  );

  it("is not looked for in other parts of the project's file", () => {
    project("name: shop\nbackend: {}\nconfig:\n  url: https://other.example\n");
    expect(findPulumiBackend({ PULUMI_HOME: folder }, folder)).toBe("");
  });
});
