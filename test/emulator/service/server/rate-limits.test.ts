import { operations } from "../../../../spec/table";
import { limitsOf, otherRef, ref, startTinyService, type TinyService } from "./tiny-service";
import { RateLimits } from "../../../../emulator/service/server/rate-limits";

describe("rate limits", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService(
      {},
      {
        operations: {
          getHealth: {
            ...operations.getHealth,
            stricterLimits: [
              { limit: 10, windowMs: 60_000 },
              { limit: 1, windowMs: 1_000 },
            ],
          },
        },
      },
    );
  });
  beforeEach(() => {
    service.emulator.control.reset();
    service.ledger.length = 0;
  });
  afterAll(() => service.emulator.close());

  const read = (path = `/v1/projects/${ref}`): Promise<Response> => service.send("GET", path);
  async function readTimes(times: number, path?: string): Promise<Response> {
    for (let count = 1; count < times; count += 1) await (await read(path)).text();
    return read(path);
  }

  it("lets exactly 120 calls of one scope pass, and refuses the rest of the window without executing it", async () => {
    expect(limitsOf(await read())).toEqual({ limit: 120, remaining: 119, reset: 60 });
    const last = await readTimes(119);
    expect(last.status).toBe(200);
    expect(limitsOf(last)).toEqual({ limit: 120, remaining: 0, reset: 60 });
    service.clock.advance(59_001);
    const refused = await read();
    expect(refused.status).toBe(429);
    expect(limitsOf(refused)).toEqual({ limit: 120, remaining: 0, reset: 1 });
    // service, Limits.
    expect(await refused.json()).toEqual({ message: "ThrottlerException: Too Many Requests" });
    expect(refused.headers.get("retry-after")).toBe("60");
    expect(service.ledger).toHaveLength(120);
    service.clock.advance(998);
    expect((await read()).status).toBe(429);
    service.clock.advance(1);
    expect(limitsOf(await read())).toEqual({ limit: 120, remaining: 119, reset: 60 });
  });

  it("starts a window with its first call and rounds the seconds left up", async () => {
    await read();
    service.clock.advance(10_500);
    expect(limitsOf(await read())).toEqual({ limit: 120, remaining: 118, reset: 50 });
  });

  it("counts each project, each organization, each branch and the account by themselves", async () => {
    await readTimes(3);
    expect(limitsOf(await read(`/v1/projects/${otherRef}`)).remaining).toBe(119);
    expect(limitsOf(await read("/v1/organizations/acme")).remaining).toBe(119);
    expect(limitsOf(await service.send("DELETE", `/v1/branches/${ref}`)).remaining).toBe(119);
    expect(limitsOf(await read("/v1/projects")).remaining).toBe(119);
    expect(limitsOf(await read("/v1/organizations")).remaining).toBe(118);
    expect(limitsOf(await read()).remaining).toBe(116);
  });

  it("counts all tokens of one user together and other users apart", async () => {
    const { control } = service.emulator;
    const as = (token: string): Promise<Response> =>
      service.send("GET", "/v1/projects", { headers: { authorization: `Bearer ${token}` } });
    await read("/v1/projects");
    expect(limitsOf(await as(control.createToken())).remaining).toBe(118);
    expect(limitsOf(await as(control.createToken({ user: "guest" }))).remaining).toBe(119);
  });

  it("counts calls without a valid token by the address of the client", async () => {
    const anonymous = (): Promise<Response> =>
      service.send("GET", "/v1/projects", { headers: { authorization: "Bearer nobody" } });
    for (let count = 0; count < 120; count += 1) expect((await anonymous()).status).toBe(401);
    expect((await anonymous()).status).toBe(429);
    expect((await read("/v1/projects")).status).toBe(200);
    expect(service.emulator.control.calls({ status: 429 })[0]?.identity).toMatch(/^ip:127\./);
  });

  it("describes and applies the stricter limit of an endpoint, within the limit of its scope", async () => {
    const remove = (project: string): Promise<Response> =>
      service.send("DELETE", `/v1/projects/${project}/custom-hostname`);
    for (let left = 9; left >= 0; left -= 1) {
      const response = await remove(ref);
      expect(response.status).toBe(200);
      expect(limitsOf(response)).toEqual({ limit: 10, remaining: left, reset: 60 });
    }
    const refused = await remove(ref);
    expect(refused.status).toBe(429);
    expect(limitsOf(refused)).toEqual({ limit: 10, remaining: 0, reset: 60 });
    expect(limitsOf(await remove(otherRef)).remaining).toBe(9);
    expect(limitsOf(await read())).toEqual({ limit: 120, remaining: 108, reset: 60 });
    expect(service.ledger.filter(({ operation }) => operation === "removeCustomHostname")).toHaveLength(11);
  });

  it("applies both limits of an endpoint that has two", async () => {
    const health = `/v1/projects/${ref}/health?services=db`;
    expect(limitsOf(await read(health))).toEqual({ limit: 1, remaining: 0, reset: 1 });
    expect((await read(health)).status).toBe(429);
    for (let count = 0; count < 8; count += 1) {
      service.clock.advance(1_000);
      expect((await read(health)).status).toBe(200);
    }
    service.clock.advance(1_000);
    const refused = await read(health);
    expect(refused.status).toBe(429);
    expect(limitsOf(refused)).toEqual({ limit: 10, remaining: 0, reset: 51 });
  });

  it("sends the headers with every answer: refusals, unknown paths and injected errors", async () => {
    service.emulator.control.addFault({ pathContains: otherRef, status: 500 });
    const answers = [
      await read("/v1/nowhere"),
      await service.send("PUT", "/v1/projects"),
      await service.send("POST", "/v1/projects"),
      await read(`/v1/projects/${otherRef}`),
    ];
    expect(answers.map((response) => [response.status, limitsOf(response).remaining])).toEqual([
      [404, 119],
      [404, 118],
      [400, 117],
      [500, 119],
    ]);
  });
});

// service, Limits: the recorded headers look like one counter for each operation and project.
describe("rate limits of each operation", () => {
  let service: TinyService;
  beforeAll(async () => {
    service = await startTinyService({ limits: "operation" });
  });
  afterAll(() => service.emulator.close());

  it("have windows of their own, which begin with the first call of the operation", async () => {
    for (let count = 0; count < 3; count += 1)
      await (await service.send("GET", `/v1/projects/${ref}`)).text();
    service.clock.advance(3_000);
    expect(limitsOf(await service.send("GET", `/v1/projects/${ref}`))).toEqual({
      limit: 120,
      remaining: 116,
      reset: 57,
    });
    expect(limitsOf(await service.send("DELETE", `/v1/projects/${ref}/custom-hostname`)).limit).toBe(10);
    const other = await service.send("GET", `/v1/projects/${ref}/health?services=db`);
    expect(limitsOf(other)).toEqual({ limit: 120, remaining: 119, reset: 60 });
    expect(limitsOf(await service.send("GET", `/v1/projects/${otherRef}`)).remaining).toBe(119);
  });
});

describe("a clock that leaps", () => {
  it("shows the rest of the window that counts a call, whenever the clock leaps", () => {
    let now = 0;
    // A machine that is held up has a clock that leaps between any two looks at it.
    const limits = new RateLimits({ now: () => (now += 35_000) });
    const endpoint = { name: "getHealth", stricterLimits: [{ limit: 10, windowMs: 1_000 }] };
    for (let call = 0; call < 6; call += 1) {
      for (const headers of [
        limits.take("someone", "project", endpoint).headers,
        limits.take("someone", "project").headers,
        limits.exhausted("someone", "project", endpoint),
      ]) {
        const reset = Number(headers["x-ratelimit-reset"]);
        expect(reset).toBeGreaterThan(0);
        expect(reset).toBeLessThanOrEqual(60);
      }
    }
  });
});
