import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chooseInstalledRequirement, chooseRequirement } from "../../../provider/core/package-source";
import { useFolder } from "../../import/sources/folder";

const folder = useFolder();

/** The folder of a package, and where its command is. */
function installed(root: string): string {
  const from = join(folder.path, root, "dist", "import");
  mkdirSync(from, { recursive: true });
  writeFileSync(join(folder.path, root, "package.json"), JSON.stringify({ name: "pulumi-management" }));
  return from;
}

function installedFrom(resolved: string): string {
  const from = installed("tool/node_modules/pulumi-management");
  const packages = { "node_modules/pulumi-management": { version: "1.2.3", resolved } };
  writeFileSync(join(folder.path, "tool/node_modules/.package-lock.json"), JSON.stringify({ packages }));
  return from;
}

const requirement = (from: string): string => chooseRequirement(join(folder.path, "program"), "1.2.3", from);

describe("the package that a program needs", () => {
  it("is the clone that the command runs from", () => {
    expect(requirement(installed("clone"))).toBe("file:../clone");
  });

  it("is the tarball, and no clone, of a program that a repository keeps", () => {
    const choose = (from: string): string =>
      chooseInstalledRequirement(join(folder.path, "app", "preview"), "1.2.3", from);
    expect(choose(installed("clone"))).toBe("^1.2.3");
    writeFileSync(join(folder.path, "pulumi-management-1.2.3.tgz"), "");
    expect(choose(installedFrom("file:../pulumi-management-1.2.3.tgz"))).toBe(
      "file:../../pulumi-management-1.2.3.tgz",
    );
  });

  it("is the tarball that was installed, be its path relative or not", () => {
    writeFileSync(join(folder.path, "pulumi-management-1.2.3.tgz"), "");
    expect(requirement(installedFrom("file:../pulumi-management-1.2.3.tgz"))).toBe(
      "file:../pulumi-management-1.2.3.tgz",
    );
    expect(requirement(installedFrom(`file:${join(folder.path, "pulumi-management-1.2.3.tgz")}`))).toBe(
      "file:../pulumi-management-1.2.3.tgz",
    );
  });

  it("is the version of the registry where it came from there, or the tarball is gone", () => {
    expect(requirement(installedFrom("https://registry.example.com/pulumi-management-1.2.3.tgz"))).toBe(
      "^1.2.3",
    );
    expect(requirement(installedFrom("file:../gone.tgz"))).toBe("^1.2.3");
  });
});
