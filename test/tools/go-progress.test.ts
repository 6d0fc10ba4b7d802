import { BuildProgress } from "../../tools/engine/go-program";

const program = { name: "pulumi", package: "example.org/cmd/pulumi" };

test("downloads, compiled packages and linking are told apart", () => {
  let nowMs = 0;
  const progress = new BuildProgress(program, () => nowMs);

  progress.read("go: downloading example.org/one v1.0.0");
  progress.read("go: downloading example.org/two v1.0.0");
  nowMs = 15_000;
  expect(progress.describe()).toBe("  pulumi: 2 modules downloaded, 15 s");

  progress.startCompiling(1648);
  progress.read("example.org/one");
  nowMs = 75_000;
  expect(progress.describe()).toBe("  pulumi: 1 of 1648 packages compiled, 1 min 15 s");

  progress.read("example.org/cmd/pulumi");
  expect(progress.describe()).toBe("  pulumi: linking, 1 min 15 s");
});
