import { startEmulator, type Emulator } from "../../../../emulator";

let emulator: Emulator;
let ref: string;
let token: string;
beforeEach(async () => {
  emulator = await startEmulator({});
  ref = emulator.control.call("createProject", {
    body: { name: "shop", organization_slug: "acme", db_pass: "a-password" },
  }).ref;
  token = emulator.control.createToken({ organizationSlug: "hobby" });
});
afterEach(() => emulator.close());

const read = (path: string): Promise<Response> =>
  fetch(`${emulator.url}/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });

describe("a token that sees one organization", () => {
  it("finds nothing of another one (service, Access)", async () => {
    expect((await read("organizations/hobby")).status).toBe(200);
    expect(await (await read("organizations")).json()).toMatchObject([{ slug: "hobby" }]);
    expect(await (await read("projects")).json()).toEqual([]);
    for (const path of ["organizations/acme", "organizations/acme/projects"]) {
      const answer = await read(path);
      expect([answer.status, await answer.json()]).toEqual([404, { message: "Organization not found" }]);
    }
    for (const path of [`projects/${ref}`, `projects/${ref}/secrets`, `branches/${ref}`]) {
      const answer = await read(path);
      expect([answer.status, await answer.json()]).toEqual([404, { message: "Project not found" }]);
    }
  });

  it("sees a project that is moved to its own", async () => {
    emulator.control.edit(({ projects }) => {
      const project = projects.get(ref);
      if (project) project.organizationSlug = "hobby";
    });
    expect((await read(`projects/${ref}`)).status).toBe(200);
  });
});
