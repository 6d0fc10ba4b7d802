import type { ExchangeView } from "../../../../emulator/desk/exchanges/show-exchange";
import { HIDDEN } from "../../../../emulator/desk/exchanges/hide-secrets";
import { isSecretName } from "../../../../emulator/desk/exchanges/secret-names";
import { operations, type OperationName } from "../../../../spec/table";
import { measuredStatusOf } from "../../../../spec/operation";
import { databaseOperations } from "../../../../tools/fuzz/operations/database-operations";
import type { Scene } from "../../../../tools/fuzz/operations/sample";
import { samples } from "../../../../tools/fuzz/operations/samples";
import { startStage, type Stage } from "../../../../tools/fuzz/operations/scene";
import { valuesOf, wireRequest } from "../../../../tools/fuzz/operations/wire-request";
import { BY_PLACE, HARMLESS, looksSecret, SECRETS, textFields } from "./secret-fields";

// The keys of the samples are operation names, which `Object.keys` widens to string.
const names = (Object.keys(samples) as OperationName[]).filter((name) => !(name in databaseOperations));
/** Those of a private key are below it, and hidden with it. */
const OF_A_KEY = ["d", "dp", "dq", "p", "q", "qi", "secrets.*"];

describe("the fields of the specification", () => {
  it("are each a secret or not: a new one whose name looks like one is put into a list", () => {
    const fields = [...textFields().keys()];
    const unknown = fields.filter(
      (field) =>
        looksSecret(field) &&
        !SECRETS.includes(field) &&
        !HARMLESS.includes(field) &&
        !BY_PLACE.includes(field) &&
        !/^(?:hook|webauthn|external)_.*_(?:uri|id|url)$/.test(field),
    );
    expect(unknown).toEqual([]);
    expect(SECRETS.filter((field) => !fields.includes(field))).toEqual([]);
  });

  it("are hidden by their names where they hold a secret, and shown where they do not", () => {
    const [path] = ["/v1/projects/{ref}/anything"];
    expect(SECRETS.filter((field) => !OF_A_KEY.includes(field) && !isSecretName(field, path))).toEqual([]);
    const shown = [...textFields().keys()].filter(
      (field) => !SECRETS.includes(field) && !BY_PLACE.includes(field),
    );
    expect(shown.filter((field) => isSecretName(field, path))).toEqual([]);
  });
});

describe("what is shown of a call", () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage.close());

  async function exchangeOf(
    { emulator, control }: Scene,
    path: string,
    init: Omit<RequestInit, "headers"> & { headers?: Readonly<Record<string, string>> } = {},
  ): Promise<{ view: ExchangeView; answer: string; location: string }> {
    const answer = await fetch(`${emulator.url}${path}`, {
      redirect: "manual",
      ...init,
      headers: { authorization: `Bearer ${emulator.accessToken}`, ...init.headers },
    });
    const text = await answer.text();
    const sequence = control.calls().at(-1)?.sequence ?? 0;
    const view = control.exchange(sequence);
    if (view === undefined) throw new Error("Nothing is kept of the call");
    return { view, answer: text, location: answer.headers.get("location") ?? "" };
  }

  it.each(names)("has no secret that %s sends, is answered or finds in the state", async (name) => {
    const scene = stage.fresh();
    const parameters = await samples[name](scene);
    const request = wireRequest(operations[name], valuesOf(operations[name], parameters));
    const { view, answer } = await exchangeOf(scene, request.path, {
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
    });
    expect(view.answer?.status).toBe(measuredStatusOf(operations[name]));
    const shown = JSON.stringify([view, scene.control.overview().calls]);
    const secrets = [scene.emulator.accessToken];
    collect(valuesOf(operations[name], parameters).params, request.path, secrets);
    for (const text of [answer, typeof request.body === "string" ? request.body : ""]) {
      collect(parsed(text), request.path, secrets);
    }
    const leaked = secrets.filter(
      (secret) => shown.includes(secret) || shown.includes(encodeURIComponent(secret)),
    );
    expect(leaked).toEqual([]);
    // What is no secret is there.
    expect(view.request.method).toBe(request.method);
    const [path] = request.path.split("?");
    expect(view.request.path.split("?")[0]).toBe(
      secrets.reduce((shortened, secret) => shortened.replace(secret, HIDDEN), path ?? ""),
    );
    if (request.method !== "HEAD" && answer.startsWith("{")) expect(view.answer?.body).toContain("{");
  });

  it("names the header, parameter and field of a secret, and shows the rest", async () => {
    const scene = stage.fresh();
    const { view } = await exchangeOf(scene, `/v1/projects?access_token=in-the-query&limit=3&x=a%20b`, {
      headers: {
        cookie: "session=in-a-cookie",
        apikey: "in-a-header",
        "x-other": "in-another",
        "user-agent": "me/1",
      },
    });
    expect(view.request.path).toBe(`/v1/projects?access_token=${HIDDEN}&limit=3&x=a b`);
    expect(view.request.headers).toMatchObject({
      authorization: `Bearer ${HIDDEN}`,
      cookie: HIDDEN,
      apikey: HIDDEN,
      "x-other": HIDDEN,
      "user-agent": "me/1",
    });
    const made = await exchangeOf(scene, "/v1/projects", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        name: "a-secret-password",
        organization_slug: "acme",
        db_pass: "a-secret-password",
      }),
    });
    expect(JSON.parse(made.view.request.body ?? "")).toEqual({
      name: HIDDEN,
      organization_slug: "acme",
      db_pass: HIDDEN,
    });
    expect(made.view.answer?.status).toBe(201);
    expect(JSON.stringify(made.view)).not.toContain("a-secret-password");
  });

  it("hides what an invalid request, a form, an address and SQL say", async () => {
    const scene = stage.fresh();
    const { ref } = scene;
    const json = { "content-type": "application/json" };
    const send = async (
      path: string,
      body: string,
      headers: Record<string, string> = json,
    ): Promise<string> => {
      const { view } = await exchangeOf(scene, path, { method: "POST", headers, body });
      return JSON.stringify(view);
    };
    expect(
      await send(`/v1/projects/${ref}/secrets`, '[{"name": "KEY", "value": "cut-off-in-the-mid'),
    ).not.toContain("cut-off");
    expect(
      await send(`/v1/projects/${ref}/secrets`, '[{"name": "SVC_A", "value": "of-a-reserved-name"}]'),
    ).not.toContain("of-a-reserved-name");
    expect(
      await send("/v1/oauth/token", "client_secret=in-a-form&code=an-authorization-code&grant_type=x", {
        "content-type": "application/x-www-form-urlencoded",
      }),
    ).not.toMatch(/in-a-form|an-authorization-code/);
    const query =
      "alter role app password 'it''s-in-sql'; alter role app PASSWORD $$in-dollars$$; -- postgres://app:in-a-url@db:5432/x eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoieCJ9.c2lnbmF0dXJl";
    const shown = await send(`/v1/projects/${ref}/nothing/here`, JSON.stringify({ query }));
    expect(shown).not.toMatch(/in-sql|in-dollars|in-a-url|c2lnbmF0dXJl/);
    const withParameters = { query: "select $1 as shown", parameters: ["beside-the-text"] };
    expect(await send(`/v1/projects/${ref}/database/query`, JSON.stringify(withParameters))).not.toContain(
      "beside-the-text",
    );
    const sql = await send("/v1/nothing", "text in plain", { "content-type": "text/plain" });
    expect(sql).toContain('"body":null');
  });

  it("says how many bytes are in what it does not show, and what was cut or never answered", async () => {
    const scene = stage.fresh();
    const { ref, control } = scene;
    const form = new FormData();
    form.append("metadata", JSON.stringify({ entrypoint_path: "index.ts" }));
    form.append("file", new File(["const key = 'in-the-source';"], "index.ts"));
    const deployed = await exchangeOf(scene, `/v1/projects/${ref}/functions/deploy?slug=greet`, {
      method: "POST",
      body: form,
    });
    expect(deployed.view.request.body).toMatch(/^\(\d+ bytes of multipart\/form-data\)$/);
    control.addFault({ operation: "listProjects", status: 502, body: "<html>gateway</html>" });
    const gateway = await exchangeOf(scene, "/v1/projects");
    expect(gateway.view.answer).toMatchObject({ status: 502, body: "<html>gateway</html>", isCut: false });
    control.addFault({ operation: "listProjects", drop: "before" });
    await expect(exchangeOf(scene, "/v1/projects")).rejects.toThrow();
    expect(control.exchange(control.calls().at(-1)?.sequence ?? 0)?.answer).toBeNull();
    control.reset();
    expect(control.exchange(1)).toBeUndefined();
  });
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}

/** Texts in fields that the list names; short ones are words such as the name of an algorithm. */
function collect(value: unknown, path: string, found: string[], isSecret = false): void {
  if (typeof value === "string") {
    if (isSecret && value.length >= 6) found.push(value);
  } else if (Array.isArray(value)) {
    for (const child of value) collect(child, path, found, isSecret);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, child] of Object.entries(value)) {
      const isListed = SECRETS.includes(name) || name === "secrets" || name === "private_jwk";
      const isPlaced =
        (name === "value" && path.includes("/secrets")) || (name === "code" && path.includes("/oauth/token"));
      collect(child, path, found, isSecret || isListed || isPlaced);
    }
  }
}
