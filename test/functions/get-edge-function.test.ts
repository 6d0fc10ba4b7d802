import { ForbiddenError, NotFoundError } from "../../provider/client/errors/errors";
import { startScenario, type Scenario } from "../kit/scenario";
import { invoke, errorOf, faults, NOBODY } from "./invoke";

let scenario: Scenario;
let projectRef: string;
beforeEach(async () => {
  scenario = await startScenario();
  projectRef = scenario.healthyProject();
});
afterEach(() => scenario.close());

const code = 'Deno.serve(() => new Response("hello"));';
const bytes = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);

function deploy(slug: string): void {
  scenario.emulator.control.call("deployFunction", {
    ref: projectRef,
    slug,
    body: {
      file: [
        { name: "src/index.ts", content: Buffer.from(code) },
        { name: "logo.png", content: bytes },
      ],
      metadata: { entrypoint_path: "src/index.ts", name: `The ${slug}`, verify_jwt: false },
    },
  });
}
const read = (more: object) => invoke(scenario, "getEdgeFunction", { projectRef, ...more });

describe("getEdgeFunction", () => {
  it("returns what the listing has of it, without a call for its source", async () => {
    for (const slug of ["hello", "world"]) deploy(slug);
    const found = await read({ slug: "world" });
    expect(found).toMatchObject({
      slug: "world",
      name: "The world",
      verifyJwt: false,
      entrypointPath: "src/index.ts",
      version: 1,
      status: "ACTIVE",
    });
    const { functions } = await invoke<{ functions: object[] }>(scenario, "getEdgeFunctions", { projectRef });
    expect(functions).toContainEqual(found);
    expect([scenario.calls("listFunctions"), scenario.calls("getFunctionBody")]).toEqual([1, 0]);
  });

  it("returns the source on request, what is no text in Base64, by one call for many", async () => {
    deploy("hello");
    const all = await Promise.all(Array.from({ length: 5 }, () => read({ slug: "hello", withSource: true })));
    for (const { source } of all) {
      expect(source).toEqual({
        entrypointPath: "src/index.ts",
        files: { "src/index.ts": code },
        binaryFiles: { "logo.png": Buffer.from(bytes).toString("base64") },
      });
    }
    expect([scenario.calls("listFunctions"), scenario.calls("getFunctionBody")]).toEqual([1, 1]);
  });

  it("says which functions there are where the wanted one is not, and that a source is missing", async () => {
    expect((await errorOf(scenario, "getEdgeFunction", { projectRef, slug: "moon" })).message).toContain(
      "it has none",
    );
    deploy("hello");
    scenario.nextRun();
    const missing = await errorOf(scenario, "getEdgeFunction", { projectRef, slug: "moon" });
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing.message).toContain("no edge function moon; it has hello");
    scenario.emulator.control.addFault({ operation: "getFunctionBody", status: 404, message: "Not found" });
    const wanted = { projectRef, slug: "hello", withSource: true };
    const sourceless = await errorOf(scenario, "getEdgeFunction", wanted);
    expect(sourceless).toBeInstanceOf(NotFoundError);
    expect(sourceless.message).toContain("does not return the source of the edge function hello");
  });

  it("says which project is not there, what a token lacks, and what is wrong with arguments", async () => {
    const error = await errorOf(scenario, "getEdgeFunction", { projectRef: NOBODY, slug: "hello" });
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.message).toContain(`the reference ${NOBODY}: check \`projectRef\``);
    scenario.emulator.control.addFault({ operation: "listFunctions", status: 403, message: "not allowed" });
    const refused = await errorOf(scenario, "getEdgeFunction", { projectRef, slug: "hello" });
    expect(refused).toBeInstanceOf(ForbiddenError);
    expect(faults("getEdgeFunction", { projectRef })).toEqual([
      "slug: required, but missing: expected a string",
    ]);
  });
});
