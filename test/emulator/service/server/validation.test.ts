import { ref, startTinyService, type TinyService } from "./tiny-service";

interface Refused {
  readonly message: string | readonly string[];
}

describe("validation of requests", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService();
  });
  beforeEach(() => {
    service.emulator.control.reset();
    service.ledger.length = 0;
  });
  afterAll(() => service.emulator.close());

  async function refusalOf(response: Response): Promise<Refused> {
    expect(response.status).toBe(400);
    expect(service.ledger).toEqual([]);
    // Every field read below is asserted on.
    return (await response.json()) as Refused;
  }
  /** The fields that the sentences begin with. */
  const paths = ({ message }: Refused): string[] =>
    [message].flat().map((sentence) => sentence.slice(0, sentence.indexOf(": ")));

  it("reports every fault of path, query and body at once, each with its path", async () => {
    const response = await service.sendJson("POST", "/v1/projects", {
      db_pass: 7,
      name: "n".repeat(300),
      organization_slug: "acme",
      region_selection: { type: "specific", code: "moon" },
      colour: "red",
    });
    const refused = await refusalOf(response);
    expect(paths(refused).sort()).toEqual(["colour", "db_pass", "name", "region_selection.code"]);
    expect(refused).toEqual({ message: expect.any(Array) as string[] });
  });

  it("says what a fault is in the words of the service, with one key", async () => {
    const body = { db_max_pool_size_unit: "" };
    const response = await service.sendJson("PATCH", `/v1/projects/${ref}/config/auth`, body);
    expect(await refusalOf(response)).toEqual({
      message: "db_max_pool_size_unit: Invalid enum value. Expected 'connections' | 'percent', received ''",
    });
  });

  it("reports more faults than a call has arguments", async () => {
    const many = 200_000;
    const body: unknown[] = Array.from({ length: many }, () => 1);
    const { message } = await refusalOf(await service.sendJson("POST", `/v1/projects/${ref}/secrets`, body));
    expect(message).toHaveLength(many);
  });

  it("names an element of an array by its index", async () => {
    const response = await service.sendJson("POST", `/v1/projects/${ref}/secrets`, [
      { name: "GOOD", value: "1" },
      { name: "SVC_BAD", value: 2 },
    ]);
    expect(paths(await refusalOf(response))).toEqual(["1.name", "1.value"]);
  });

  it("refuses a malformed reference and an id that is no UUID", async () => {
    expect(paths(await refusalOf(await service.send("GET", "/v1/projects/SHORT")))).toEqual(["ref", "ref"]);
    const key = await service.send("GET", `/v1/projects/${ref}/api-keys/7?reveal=maybe`);
    expect(paths(await refusalOf(key))).toEqual(["id", "reveal"]);
  });

  it("reads booleans, integers and arrays from the query by their schemas", async () => {
    await service.send(
      "GET",
      `/v1/projects/${ref}/health?services=db&services=auth,rest&timeout_ms=50&other=1`,
    );
    await service.send(
      "GET",
      `/v1/projects/${ref}/api-keys/2f1b1a0e-5b0c-4c43-9f1e-0d2f6ad3d0c1?reveal=true`,
    );
    expect(service.ledger.map(({ input }) => input)).toEqual([
      expect.objectContaining({ query: { services: ["db", "auth", "rest"], timeout_ms: 50 } }),
      expect.objectContaining({ query: { reveal: true } }),
    ]);
  });

  it("refuses query values that are no member of the list or no number", async () => {
    const response = await service.send("GET", `/v1/projects/${ref}/health?services=db,moon&timeout_ms=soon`);
    expect(paths(await refusalOf(response))).toEqual(["services.1", "timeout_ms"]);
    expect(paths(await refusalOf(await service.send("GET", `/v1/projects/${ref}/health`)))).toEqual([
      "services",
    ]);
  });

  it("drops unknown keys where the schema is not strict", async () => {
    const response = await service.sendJson("PATCH", `/v1/projects/${ref}`, { name: "shop", colour: "red" });
    expect(response.status).toBe(200);
    expect(service.ledger[0]?.input).toMatchObject({ body: { name: "shop" } });
    expect(service.ledger[0]?.input).not.toHaveProperty("body.colour");
  });

  it("reads the body of a DELETE and a path parameter that holds an escaped slash", async () => {
    await service.sendJson("DELETE", `/v1/projects/${ref}/secrets`, ["A", "B"]);
    const branch = await service.send("GET", `/v1/projects/${ref}/branches/feature%2Fcart`);
    expect(branch.status).toBe(200);
    expect(service.ledger.map(({ input }) => input)).toEqual([
      expect.objectContaining({ body: ["A", "B"] }),
      expect.objectContaining({ params: { ref, name: "feature/cart" } }),
    ]);
  });

  it("refuses a missing body, malformed JSON and another content type", async () => {
    const path = `/v1/projects/${ref}`;
    expect(paths(await refusalOf(await service.send("PATCH", path)))).toEqual(["body"]);
    const headers = { "content-type": "application/json; charset=utf-8" };
    const malformed = await refusalOf(await service.send("PATCH", path, { body: "{", headers }));
    expect(malformed.message).toContain("body: Malformed JSON");
    const text = await refusalOf(
      await service.send("PATCH", path, { body: "name=x", headers: { "content-type": "text/plain" } }),
    );
    expect(text.message).toContain("expected application/json, received text/plain");
  });

  it("reads a multipart body into metadata and files with their names and bytes", async () => {
    const body = new FormData();
    body.append("metadata", JSON.stringify({ entrypoint_path: "index.ts", verify_jwt: false }));
    body.append("file", new Blob(["export {}"]), "src/lib/index.ts");
    body.append("file", new Blob([new Uint8Array([0, 255])]), "logo.png");
    const response = await service.send("POST", `/v1/projects/${ref}/functions/deploy?slug=greet`, { body });
    expect(response.status).toBe(201);
    expect(service.ledger[0]?.input).toEqual({
      params: { ref },
      query: { slug: "greet" },
      body: {
        metadata: { entrypoint_path: "index.ts", verify_jwt: false },
        file: [
          { name: "src/lib/index.ts", content: new TextEncoder().encode("export {}") },
          { name: "logo.png", content: new Uint8Array([0, 255]) },
        ],
      },
    });
  });

  it("names the faults of a multipart body", async () => {
    const path = `/v1/projects/${ref}/functions/deploy`;
    const wrong = new FormData();
    wrong.append("metadata", "{}");
    expect(paths(await refusalOf(await service.send("POST", path, { body: wrong })))).toEqual([
      "metadata.entrypoint_path",
    ]);
    const malformed = new FormData();
    malformed.append("metadata", "{");
    expect(paths(await refusalOf(await service.send("POST", path, { body: malformed })))).toEqual([
      "metadata",
    ]);
    const headers = { "content-type": "multipart/form-data" };
    expect(paths(await refusalOf(await service.send("POST", path, { body: "?", headers })))).toEqual([
      "body",
    ]);
  });
});
