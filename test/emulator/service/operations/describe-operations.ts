import { measuredStatusOf, type OAuthScope, type Operation } from "../../../../spec/operation";
import { operations, type OperationName } from "../../../../spec/table";
import { withoutNewerBodies } from "../../../../emulator/service/rules/newer/with-newer-fields";
import { testedService } from "../../../../tools/repeat/tested-service";
import { limitsOf, textWith } from "../server/tiny-service";
import { expectKnownAnswer } from "./expect-known-answer";
import { invalidRequests } from "./invalid-requests";
import type { Scene } from "../../../../tools/fuzz/operations/sample";
import { samples } from "../../../../tools/fuzz/operations/samples";
import { startStage, type Stage } from "../../../../tools/fuzz/operations/scene";
import { valuesOf, wireRequest, type WireRequest } from "../../../../tools/fuzz/operations/wire-request";

// The keys of the table are its operation names, which `Object.entries` widens to string.
const table = Object.entries(operations) as [OperationName, Operation][];
const allPermissions = [...new Set(table.flatMap(([, { permissions }]) => permissions.flat()))];
const allScopes = [...new Set(table.flatMap(([, { scope }]) => scope ?? []))];

// An older service drops what it does not know, also where it would be invalid.
const known: Readonly<Record<OperationName, Operation>> =
  testedService.newer === true ? operations : { ...operations, ...withoutNewerBodies(operations) };

/** Calls in one window of the standard limit, less than 120. */
const CALLS_A_WINDOW = 100;

/** What must hold for every operation, whatever its rules are; each has a project of its own, unless they share one. */
export function describeOperations(
  names: readonly OperationName[],
  { sharing = false }: { readonly sharing?: boolean } = {},
): void {
  let stage: Stage;
  let shared: Scene | undefined;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage.close());

  const sceneOf = (): Scene => (sharing ? (shared ??= stage.fresh()) : stage.fresh());
  for (const name of names) {
    describe(name, () => describeOperation(name, sceneOf));
  }
}

function describeOperation(name: OperationName, fresh: () => Scene): void {
  const operation = known[name];
  const { permissions, changedPermissions, scope, stricterLimits } = operation;
  // service, Access: those without a permission carry the application's own credentials.
  const isOpen = operation.path.startsWith("/v1/oauth/") && permissions.length === 0;
  const [needed = []] = permissions;

  let scene: Scene;
  let parameters: unknown;
  let valid: WireRequest;
  const send = (request: WireRequest, token: string | undefined): Promise<Response> =>
    fetch(`${scene.emulator.url}${request.path}`, {
      method: request.method,
      headers: {
        ...request.headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: request.body ?? null,
      redirect: "manual",
    });
  // So far apart that no stricter limit is met.
  const spacingMs = Math.max(0, ...stricterLimits.map(({ limit, windowMs }) => Math.ceil(windowMs / limit)));
  const sendInTime: typeof send = (request, token) => {
    scene.clock.advance(spacingMs);
    return send(request, token);
  };
  const holding = (held: readonly string[]): string =>
    scene.control.createToken({ kind: "fine-grained", permissions: held });
  async function oauthToken(scopes: readonly OAuthScope[]): Promise<string> {
    const app = scene.control.createOAuthApp({ scopes });
    const response = await fetch(`${scene.emulator.url}/v1/oauth/token`, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        client_id: app.clientId,
        client_secret: app.clientSecret,
        refresh_token: app.refreshToken,
      }),
    });
    // The emulator itself compares the answer with the operation table.
    return ((await response.json()) as { access_token: string }).access_token;
  }
  async function expectRefusal(response: Response, status: number, message: string): Promise<void> {
    expect(response.status).toBe(status);
    const said = { message: textWith(message) };
    // service, Errors: the form of the second version.
    const expected = operation.path.startsWith("/v2/") ? { error: said } : said;
    if (valid.method !== "HEAD") expect(await response.json()).toMatchObject(expected);
    const { limit, remaining, reset } = limitsOf(response);
    expect([limit > 0, remaining >= 0, reset > 0]).toEqual([true, true, true]);
  }

  // A database takes long to start: the scene is made anew only where a test has changed it.
  let isChanged = true;
  beforeEach(async () => {
    if (!isChanged) return;
    scene = fresh();
    parameters = await samples[name](scene);
    valid = wireRequest(operation, valuesOf(operation, parameters));
    isChanged = false;
  });

  if (!isOpen) {
    it("is refused without a token, and with an unknown one", async () => {
      await expectRefusal(await sendInTime(valid, undefined), 401, "Unauthorized");
      await expectRefusal(await sendInTime(valid, "nobody"), 401, "Unauthorized");
    });
  }

  if (permissions.length > 0) {
    it("is refused with every permission but the needed ones, one after the other", async () => {
      const taken = [...permissions, ...changedPermissions].flat();
      const others = allPermissions.filter((permission) => !taken.includes(permission));
      await expectRefusal(await sendInTime(valid, holding(others)), 403, needed[0] ?? "");
      // With alternatives, holding everything else is enough.
      for (const missing of permissions.length === 1 ? needed : []) {
        const instead = changedPermissions.filter((all) => !all.includes(missing)).flat();
        const rest = allPermissions.filter((each) => each !== missing && !instead.includes(each));
        await expectRefusal(await sendInTime(valid, holding(rest)), 403, missing);
      }
    });
  }

  if (scope !== undefined) {
    it("is refused to an application without the scope", async () => {
      const token = await oauthToken(allScopes.filter((other) => other !== scope));
      await expectRefusal(await sendInTime(valid, token), 403, scope);
    });
  }

  it("names the place of whatever is invalid, and changes nothing", async () => {
    const requests = invalidRequests(operation, parameters);
    // One token for all would use up its window.
    const tokens = requests
      .filter((_request, index) => index % CALLS_A_WINDOW === 0)
      .map((_request, index) => scene.control.createToken({ user: `careless-${index}` }));
    const before = JSON.stringify(scene.control.snapshot());
    const unexpected: unknown[] = [];
    for (const [index, { path, request }] of requests.entries()) {
      const response = await sendInTime(request, tokens[Math.floor(index / CALLS_A_WINDOW)]);
      const text = await response.text();
      if (response.status !== 400 || !namesPlace(request.method, text, path)) {
        unexpected.push({
          path,
          status: response.status,
          text,
          sent: typeof request.body === "string" ? request.body : request.path,
        });
      }
    }
    expect(unexpected).toEqual([]);
    expect(JSON.stringify(scene.control.snapshot())).toBe(before);
    expect(scene.control.internalErrors).toEqual([]);
  });

  it("takes each alternative of its permissions, and its scope", async () => {
    const [invalid] = invalidRequests(operation, parameters);
    isChanged = invalid === undefined;
    const tokens = [
      ...(permissions.length === 0 ? [[]] : [...permissions, ...changedPermissions]).map((alternative) =>
        holding([...alternative]),
      ),
      await oauthToken(scope === undefined ? [] : [scope]),
    ];
    for (const token of tokens) {
      const response = await sendInTime(invalid?.request ?? valid, token);
      // What is refused as invalid has passed the token and its permissions.
      expect(response.status).toBe(invalid === undefined ? measuredStatusOf(operation) : 400);
      await response.arrayBuffer();
    }
  });

  it("succeeds with an answer that keeps to the table", async () => {
    isChanged = true;
    const response = await sendInTime(valid, isOpen ? undefined : holding(needed));
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    expect({ status: response.status, refused: response.ok ? "" : text }).toEqual({
      status: measuredStatusOf(operation),
      refused: "",
    });
    expectToKeepTo(operation, response, bytes);
    expect(limitsOf(response).limit).toBeGreaterThan(0);
    expect(scene.control.internalErrors).toEqual([]);
  });

  for (const { limit, windowMs } of stricterLimits) {
    it(`is refused after ${limit} calls in ${windowMs / 1_000} s`, async () => {
      isChanged = true;
      const windows = stricterLimits.map((other) => other.windowMs);
      // Between the calls, so that only this limit is met.
      const shorter = Math.max(0, ...windows.filter((other) => other < windowMs));
      const token = scene.control.createToken({ user: `hasty-${limit}` });
      for (let count = 0; count < limit; count += 1) {
        if (count > 0) scene.clock.advance(shorter);
        const response = await send(valid, token);
        expect(response.status).not.toBe(429);
        await response.arrayBuffer();
      }
      scene.clock.advance(shorter);
      const response = await send(valid, token);
      await expectRefusal(response, 429, "Too Many Requests");
      expect(limitsOf(response)).toEqual({
        limit,
        remaining: 0,
        reset: Math.ceil((windowMs - limit * shorter) / 1_000),
      });
      scene.clock.advance(windowMs);
      expect((await send(valid, token)).status).not.toBe(429);
    });
  }
}

function namesPlace(method: string, text: string, path: string): boolean {
  if (method === "HEAD") return true;
  // Checked by what is looked for: a refusal for another reason names no place.
  const body = JSON.parse(text) as {
    message: string | string[];
    error?: { issues?: { message: string }[] };
  };
  const sentences = body.error?.issues?.map(({ message }) => message) ?? [body.message].flat();
  return sentences.some((sentence) => sentence.startsWith(`${path}: `) || sentence.startsWith(`${path}.`));
}

function expectToKeepTo({ method, success }: Operation, response: Response, bytes: Uint8Array): void {
  const text = new TextDecoder().decode(bytes);
  const contentType = response.headers.get("content-type")?.split(";")[0];
  if (success.header !== undefined) {
    expect(text).toBe("");
    expect(
      success.schema.safeParse(Number(response.headers.get(success.header) ?? NaN)).error,
    ).toBeUndefined();
    return;
  }
  if (success.schema.safeParse(undefined).success) {
    const { written = {} } = success;
    const isBare = measuredStatusOf({ success }) === 204 || written === null;
    expect([text, contentType]).toEqual(
      isBare ? ["", undefined] : [JSON.stringify(written), "application/json"],
    );
    return;
  }
  expect(method).not.toBe("HEAD");
  expect(contentType).toBe(success.contentType);
  const answer: unknown =
    success.contentType === "application/json"
      ? JSON.parse(text)
      : success.contentType === "text/plain"
        ? text
        : bytes;
  expectKnownAnswer(success.schema, answer);
}
