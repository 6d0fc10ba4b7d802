import { InvalidInputError, NotFoundError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, invokeWrapped, errorOf, faults, NOBODY } from "./invoke";
import { makeBranch } from "./scenes";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const branchOf = (name: string, more?: object) => makeBranch(scenario, projectRef, name, more);

describe("getBranch", () => {
  it("tells a branch by name, reference and id, with the connection of its own database", async () => {
    const { id, ref } = branchOf("preview", {
      git_branch: "feature",
      notify_url: "https://example.com/hook",
    });
    const byName = await invoke(scenario, "getBranch", { projectRef, name: "preview" });
    const project = scenario.emulator.world.state.projects.get(ref);
    expect(byName).toEqual({
      ref,
      branchId: id,
      name: "preview",
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
      parentProjectRef: projectRef,
      isDefault: false,
      gitBranch: "feature",
      notifyUrl: "https://example.com/hook",
      persistent: false,
      withData: false,
      status: "FUNCTIONS_DEPLOYED",
      previewProjectStatus: "ACTIVE_HEALTHY",
      postgresEngine: "17",
      releaseChannel: "ga",
      apiUrl: `https://${ref}.service.example`,
      host: `db.${ref}.service.example`,
      port: 5432,
      user: "postgres",
      password: project?.dbPass,
      jwtSecret: project?.jwtSecret,
      connectionString: `postgresql://postgres:${project?.dbPass}@db.${ref}.service.example:5432/postgres`,
    });
    expect(await invoke(scenario, "getBranch", { projectRef, ref })).toEqual(byName);
    expect(await invoke(scenario, "getBranch", { projectRef, branchId: id })).toEqual(byName);
  });

  it("wraps password, connection string and JWT secret, and nothing else", async () => {
    const { ref } = branchOf("preview");
    const project = scenario.emulator.world.state.projects.get(ref);
    const wrapped = await invokeWrapped(scenario, "getBranch", { projectRef, ref });
    expect(wrapped["password"]).toEqual({ secret: project?.dbPass });
    expect(wrapped["jwtSecret"]).toEqual({ secret: project?.jwtSecret });
    expect(wrapped["connectionString"]).toEqual({
      secret: expect.stringContaining(project?.dbPass ?? "?") as string,
    });
    expect(Object.values(wrapped).filter((value) => typeof value === "object")).toHaveLength(3);
  });

  it("tells the default branch without a connection: that is the project's own", async () => {
    branchOf("preview");
    const found = await invoke(scenario, "getBranch", { projectRef, ref: projectRef });
    expect(found).toMatchObject({ isDefault: true, ref: projectRef });
    for (const name of ["host", "password", "jwtSecret", "connectionString"])
      expect(found).not.toHaveProperty(name);
  });

  it("lists the branches once for all that are asked for", async () => {
    const names = ["one", "two", "three"];
    for (const name of names) branchOf(name);
    await Promise.all(
      [...names, ...names].map((name) => invoke(scenario, "getBranch", { projectRef, name })),
    );
    expect([scenario.calls("listBranches"), scenario.calls("getBranchConfig")]).toEqual([1, 3]);
  });

  it("says what is not there, and that a branch has no branches", async () => {
    const { ref } = branchOf("preview");
    const unnamed = await errorOf(scenario, "getBranch", { projectRef, name: "other" });
    expect(unnamed).toBeInstanceOf(NotFoundError);
    expect(unnamed.message).toContain(`The project ${projectRef} has no branch with the name other`);
    const noProject = await errorOf(scenario, "getBranch", { projectRef: NOBODY, name: "preview" });
    expect(noProject).toBeInstanceOf(NotFoundError);
    expect(noProject.message).toContain(NOBODY);
    const ofBranch = await errorOf(scenario, "getBranch", { projectRef: ref, name: "preview" });
    expect(ofBranch).toBeInstanceOf(InvalidInputError);
    expect(ofBranch.message).toContain("is a branch, and");
  });

  it("guesses nothing where two branches bear the name", async () => {
    const first = branchOf("preview");
    const second = branchOf("other");
    scenario.emulator.control.set(["branches", second.id, "name"], "preview");
    const error = await errorOf(scenario, "getBranch", { projectRef, name: "preview" });
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error.message).toContain(first.ref);
    expect(error.message).toContain(second.ref);
  });

  it("needs exactly one of name, reference and id", () => {
    expect(faults("getBranch", { projectRef: NOBODY })).toEqual([
      "name: required, but missing: give one of `name`, `ref` and `branchId`",
    ]);
    expect(faults("getBranch", { projectRef: NOBODY, name: "a", ref: NOBODY })).toEqual([
      `ref: got "${NOBODY}"; give one of \`name\`, \`ref\` and \`branchId\`, not name and ref`,
    ]);
    expect(faults("getBranch", { branchId: "7", branch: "a" })).toEqual([
      "projectRef: required, but missing: expected a string",
      'branchId: got "7"; expected a UUID, as `0f8fad5b-d9cb-469f-a165-70867728950e`',
      "branch: unknown property; did you mean `branchId`?",
    ]);
  });
});
