import { createRulesWorld, type RulesWorld } from "../rules-world";

describe("an action run, as documented in 2026-06", () => {
  let service: RulesWorld;
  let ref: string;
  let branch: { id: string; project_ref: string };
  let runId: string;
  beforeEach(() => {
    service = createRulesWorld({ service: "2026-06" });
    ref = service.healthyProject();
    branch = service.call("createBranch", { ref, body: { branch_name: "preview" } });
    runId = service.call("listActionRuns", { ref: branch.project_ref })[0]?.id ?? "";
  });
  const steps = (): string =>
    service
      .call("getActionRun", { ref, run_id: runId })
      .run_steps.map(({ status }) => status.slice(0, 2))
      .join(" ");
  const status = (): string => service.call("getBranch", { ref, name: "preview" }).status;
  function report(body: Record<string, "EXITED" | "DEAD" | "PAUSED" | "RUNNING" | "CREATED">): void {
    expect(service.call("updateActionRunStatus", { ref, run_id: runId, body })).toEqual({ message: "ok" });
  }

  it("is counted as it is listed, for a branch and for all of a project", () => {
    const second = service.call("createBranch", { ref, body: { branch_name: "second" } });
    for (const [of, count] of [
      [ref, 2],
      [second.project_ref, 1],
      [service.healthyProject("other"), 0],
    ] as const) {
      expect(service.call("countActionRuns", { ref: of })).toBe(count);
      expect(service.call("listActionRuns", { ref: of })).toHaveLength(count);
    }
    expect(service.call("listActionRuns", { ref }).map(({ branch_id }) => branch_id)).toEqual([
      second.id,
      branch.id,
    ]);
    expect(service.refusal("countActionRuns", { ref: "zzzzzzzzzzzzzzzzzzzz" })).toBe("404 Project not found");
  });

  it("goes on sooner when a step is reported to have exited", () => {
    service.advance(5);
    report({ clone: "EXITED", pull: "EXITED", health: "EXITED", configure: "EXITED" });
    expect([steps(), status()]).toEqual(["EX EX EX EX RU CR CR", "RUNNING_MIGRATIONS"]);
    service.advance(12);
    expect([steps(), status()]).toEqual(["EX EX EX EX EX EX RU", "MIGRATIONS_PASSED"]);
    report({ deploy: "EXITED" });
    expect([steps(), status()]).toEqual(["EX EX EX EX EX EX EX", "FUNCTIONS_DEPLOYED"]);
  });

  it("stops at a step that is reported dead, and its branch fails", () => {
    service.advance(36);
    report({ migrate: "DEAD" });
    service.advance(600);
    expect([steps(), status()]).toEqual(["EX EX EX EX DE CR CR", "MIGRATIONS_FAILED"]);
    expect(service.call("getActionRun", { ref, run_id: runId }).updated_at).toBe("2026-01-01T00:02:36.000Z");
    expect(service.call("getActionRunLogs", { ref, run_id: runId })).toMatch(
      /00:02:36\.000Z \[migrate\] failed\n$/,
    );
    report({ migrate: "EXITED" });
    service.advance(60);
    expect([steps(), status()]).toEqual(["EX EX EX EX EX EX EX", "FUNCTIONS_DEPLOYED"]);
  });

  it("waits at a step that is reported paused, until it is reported to go on", () => {
    service.advance(36);
    report({ migrate: "PAUSED" });
    service.advance(600);
    expect([steps(), status()]).toEqual(["EX EX EX EX PA CR CR", "RUNNING_MIGRATIONS"]);
    expect(service.call("getActionRunLogs", { ref, run_id: runId })).toMatch(/\[migrate\] paused\n$/);
    report({ migrate: "RUNNING" });
    expect(steps()).toBe("EX EX EX EX RU CR CR");
    report({ migrate: "EXITED" });
    expect(steps()).toBe("EX EX EX EX EX RU CR");
  });

  it("that is over keeps its other steps when one is reported otherwise", () => {
    service.advance(120);
    report({ deploy: "DEAD" });
    expect([steps(), status()]).toEqual(["EX EX EX EX EX EX DE", "FUNCTIONS_FAILED"]);
    report({ clone: "DEAD", deploy: "EXITED" });
    expect([steps(), status()]).toEqual(["DE EX EX EX EX EX EX", "MIGRATIONS_FAILED"]);
  });

  it("counts more than a status that was set by hand before", () => {
    service.advance(120);
    service.call("updateBranch", { branch_id_or_ref: branch.id, body: { status: "MIGRATIONS_FAILED" } });
    expect(status()).toBe("MIGRATIONS_FAILED");
    report({});
    expect(status()).toBe("FUNCTIONS_DEPLOYED");
  });

  it("is known only where it belongs", () => {
    const body = { clone: "DEAD" } as const;
    const other = service.healthyProject("other");
    expect(service.refusal("updateActionRunStatus", { ref: other, run_id: runId, body })).toBe(
      "404 Action run not found",
    );
    expect(service.refusal("updateActionRunStatus", { ref, run_id: "none", body })).toBe(
      "404 Action run not found",
    );
    expect(service.refusal("getActionRunLogs", { ref: other, run_id: runId })).toBe(
      "404 Action run not found",
    );
  });
});
