import { operations } from "../../../spec/table";
import { Refusal } from "../../../emulator";
import { ref, startTinyService, type TinyService, textWith } from "./tiny-service";

describe("answers", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService(
      {},
      {
        operations: {
          listSecrets: { ...operations.listProjects, path: "/v1/projects/{ref}/counted", method: "HEAD" },
        },
        handlers: {
          updateProject: () => {
            throw new TypeError("Broken rule");
          },
          getHealth: () => [{ name: "db", healthy: "yes" }],
          pauseProject: () => {
            throw new Refusal(544, "Not now");
          },
          listSecrets: () => [],
        },
      },
    );
  });
  beforeEach(() => service.emulator.control.reset());
  afterAll(() => service.emulator.close());

  it("answers an empty object where the table has no body", async () => {
    const response = await service.sendJson("POST", `/v1/projects/${ref}/secrets`, []);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({});
  });

  it("answers plain text where the table says so", async () => {
    const response = await service.send("GET", `/v1/projects/${ref}/actions/7/logs`);
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(await response.text()).toBe("first line\nsecond line");
  });

  it("gives every answer an id of its own, the one in the log", async () => {
    const ids = [await service.send("GET", "/v1/projects"), await service.send("GET", "/v1/nowhere")].map(
      (response) => response.headers.get("x-request-id"),
    );
    expect(new Set(ids).size).toBe(2);
    expect(service.emulator.control.calls().map(({ requestId }) => requestId)).toEqual(ids);
  });

  it("answers what a handler refuses", async () => {
    const response = await service.send("POST", `/v1/projects/${ref}/pause`);
    expect(response.status).toBe(544);
    expect(await response.json()).toEqual({ message: "Not now" });
    expect(service.emulator.control.internalErrors).toEqual([]);
  });

  it("answers 500 for an exception and keeps it", async () => {
    const response = await service.sendJson("PATCH", `/v1/projects/${ref}`, { name: "shop" });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: "Internal Server Error" });
    expect(service.emulator.control.internalErrors).toEqual([
      { operation: "updateProject", kind: "exception", message: textWith("Broken rule") },
    ]);
  });

  it("keeps an answer that breaks the operation table, and still sends it", async () => {
    const response = await service.send("GET", `/v1/projects/${ref}/health?services=db`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual([{ name: "db", healthy: "yes" }]);
    expect(service.emulator.control.internalErrors).toEqual([
      { operation: "getHealth", kind: "answer", message: textWith("0.healthy") },
    ]);
  });

  it("answers HEAD with headers only, by its own operation or by the one that reads", async () => {
    for (const path of [`/v1/projects/${ref}/counted`, "/v1/projects"]) {
      const response = await service.send("HEAD", path);
      expect([response.status, await response.text()]).toEqual([200, ""]);
      expect(response.headers.get("x-ratelimit-limit")).toBe("120");
    }
    expect(service.emulator.control.calls().map(({ method, operation }) => [method, operation])).toEqual([
      ["HEAD", "listSecrets"],
      ["HEAD", "listProjects"],
    ]);
  });

  it("prefers fixed segments of a path to placeholders, method by method", async () => {
    const body = new FormData();
    body.append("metadata", JSON.stringify({ entrypoint_path: "index.ts" }));
    await service.send("POST", `/v1/projects/${ref}/functions/deploy`, { body });
    await service.send("DELETE", `/v1/projects/${ref}/functions/deploy`);
    expect(service.emulator.control.calls().map(({ operation }) => operation)).toEqual([
      "deployFunction",
      "deleteFunction",
    ]);
  });
});
