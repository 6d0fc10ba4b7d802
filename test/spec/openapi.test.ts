import { createOpenApiDocument } from "../../spec/openapi";
import { operations } from "../../spec/table";

const document = createOpenApiDocument(operations);
const { schemas } = document.components;

function operationAt(method: string, path: string): Record<string, unknown> {
  const found = document.paths[path]?.[method];
  if (found === undefined) throw new Error(`The document lacks ${method} ${path}`);
  return found;
}

describe("the OpenAPI document", () => {
  it("names every operation of the table once", () => {
    const ids = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((operation) => operation["operationId"]),
    );
    expect(ids.toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  it("tells the two forms of an error's message, and no key that errors do not have", () => {
    expect(schemas["Error"]).toMatchObject({
      properties: { message: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] } },
      required: ["message"],
    });
    expect(Object.keys(schemas["Error"]?.["properties"] as object)).toEqual(["message"]);
  });

  it("refers only to what it has, and shows nothing of the table's own marks", () => {
    const text = JSON.stringify(document);
    const referred = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(referred.length).toBeGreaterThan(500);
    const missing = referred.filter(
      // Each group of components is an object.
      ([, group = "", name = ""]) => !(name in (document.components[group] as object)),
    );
    expect(missing).toEqual([]);
    expect(text.match(/"\$schema"|\$defs|"identifier":true|9007199254740991|propertyNames/)).toBeNull();
  });

  it("uses every schema that it names", () => {
    const text = JSON.stringify(document);
    expect(Object.keys(schemas).filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual(
      [],
    );
  });

  it("closes an enum that is sent and opens the same one where it is answered", () => {
    expect(schemas["FunctionStatus"]).toEqual({ type: "string", enum: ["ACTIVE", "REMOVED", "THROTTLED"] });
    expect(schemas["AnsweredFunctionStatus"]).toEqual({
      type: "string",
      "x-extensible-enum": ["ACTIVE", "REMOVED", "THROTTLED"],
    });
    expect(schemas["BulkUpdateFunctionBody"]).toMatchObject({
      items: { properties: { status: { $ref: "#/components/schemas/FunctionStatus" } } },
    });
    expect(schemas["FunctionResponse"]).toMatchObject({
      properties: { status: { $ref: "#/components/schemas/AnsweredFunctionStatus" } },
    });
  });

  it("keeps closed what tells the alternatives of an answer apart", () => {
    expect(JSON.stringify(schemas["ProjectUpgradeEligibilityResponse"])).toContain(
      '"type":{"type":"string","const":"unsupported_extension"}',
    );
  });

  it("tells parameters by their place, and whether they must be given", () => {
    expect(operationAt("get", "/v1/projects/{ref}/health")["parameters"]).toEqual([
      { name: "ref", in: "path", required: true, schema: { $ref: "#/components/schemas/ProjectRef" } },
      expect.objectContaining({ name: "services", in: "query", required: true }),
      expect.objectContaining({ name: "timeout_ms", in: "query", required: false }),
    ]);
    expect(operationAt("post", "/v1/projects/{ref}/database/migrations")["parameters"]).toContainEqual(
      expect.objectContaining({ in: "header", required: false }),
    );
  });

  it("takes files, forms and bytes in their own content types", () => {
    expect(operationAt("post", "/v1/projects/{ref}/functions/deploy")["requestBody"]).toEqual({
      required: true,
      content: { "multipart/form-data": { schema: { $ref: "#/components/schemas/FunctionDeployBody" } } },
    });
    expect(schemas["FunctionDeployBody"]).toMatchObject({
      properties: { file: { type: "array", items: { type: "string", format: "binary" } } },
    });
    expect(operationAt("post", "/v1/oauth/token")["requestBody"]).toHaveProperty([
      "content",
      "application/x-www-form-urlencoded",
    ]);
    expect(operationAt("patch", "/v1/projects/{ref}/functions/{function_slug}")["requestBody"]).toEqual({
      required: true,
      content: {
        "application/json": { schema: { $ref: "#/components/schemas/UpdateFunctionBody" } },
        "application/vnd.denoland.eszip": { schema: { type: "string", format: "binary" } },
      },
    });
  });

  it("answers bytes, a count in a header, and nothing", () => {
    expect(operationAt("get", "/v1/projects/{ref}/functions/{function_slug}/body")).toHaveProperty(
      ["responses", "200", "content"],
      { "application/octet-stream": { schema: { type: "string", format: "binary" } } },
    );
    expect(operationAt("head", "/v1/projects/{ref}/actions")).toHaveProperty(
      ["responses", "200", "headers", "x-total-count"],
      { required: true, schema: { type: "integer", minimum: 0 } },
    );
    expect(operationAt("post", "/v1/projects/{ref}/pause")).not.toHaveProperty([
      "responses",
      "200",
      "content",
    ]);
  });

  it("says with which token, under which limits and how reliably an operation works", () => {
    expect(operationAt("get", "/v1/projects/{ref}/database/context")).toMatchObject({
      deprecated: true,
      security: [{ accessToken: [] }, { oauth: ["projects:read"] }],
      "x-oauth-scope": "projects:read",
      "x-permissions-any-of": [["database_read"]],
      "x-rate-limits": [
        { limit: 10, windowMs: 60_000 },
        { limit: 1, windowMs: 1_000 },
      ],
      "x-stability": ["deprecated", "experimental"],
    });
    expect(operationAt("post", "/v1/oauth/token")["security"]).toEqual([]);
  });

  it("gives every answer the rate-limit headers, every error a message", () => {
    for (const item of Object.values(document.paths)) {
      for (const { responses } of Object.values(item)) {
        // Every operation has answers by status code.
        for (const [status, answer] of Object.entries(responses as Record<string, object>)) {
          if (!status.startsWith("2")) expect(answer).toHaveProperty("$ref");
          else expect(answer).toHaveProperty(["headers", "X-RateLimit-Remaining"]);
        }
      }
    }
    expect(document.components["responses"]).toHaveProperty(["Forbidden", "content", "application/json"], {
      schema: { $ref: "#/components/schemas/Error" },
    });
  });
});
