import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { systemProcesses } from "../../../provider/core/process-identity";
import { waitUntil } from "../../kit/wait-until";

const processes = systemProcesses();

describe("a process", () => {
  it("runs while it runs", () => {
    expect(processes.isRunning(processes.own)).toBe(true);
    expect(systemProcesses().isRunning(processes.own)).toBe(true);
  });

  it("is not another one that has its process id by now, nor one of another machine or container", () => {
    expect(processes.isRunning({ ...processes.own, started: "1" })).toBe(false);
    expect(processes.isRunning({ ...processes.own, machine: "another" })).toBe(false);
  });

  it("has ended when nothing has its process id", () => {
    expect(processes.isRunning({ ...processes.own, pid: spawnSync("true").pid })).toBe(false);
  });

  const onLinux = process.platform === "linux" ? it : it.skip;
  onLinux("has ended when it is killed, though nobody has collected it yet", async () => {
    // A parent that never waits for its child, as in a container without an init process.
    const parent = spawn("sh", ["-c", "sleep 600 & echo $!; exec sleep 600"]);
    try {
      const [line] = (await once(parent.stdout, "data")) as [Buffer];
      const pid = Number(line.toString());
      // A shell might still collect it.
      await waitUntil("the shell has become `sleep`", () =>
        readFileSync(`/proc/${parent.pid}/comm`, "utf8").startsWith("sleep"),
      );
      process.kill(pid, "SIGKILL");
      const stat = (): string => readFileSync(`/proc/${pid}/stat`, "utf8");
      const started = stat().split(" ")[21] ?? "";
      await waitUntil("the process is a zombie", () => stat().includes(") Z "));
      expect(processes.isRunning({ ...processes.own, pid, started })).toBe(false);
    } finally {
      parent.kill();
    }
  });
});
