import { chromium, type Browser, type Locator, type Page } from "playwright-core";
import { MovableClock, startEmulator, type Emulator } from "../../emulator";
import { FAILURE_LOG, makeBusy, tellDurations } from "./busy-emulator";
import { backgroundOf, lightness, shownTexts } from "./contrast";
import { CHROMIUM_ARGUMENTS, provideChromium } from "../../tools/browser/chromium";

let emulator: Emulator;
let browser: Browser;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  const executablePath = await provideChromium((line) => process.stderr.write(`browser: ${line}\n`));
  browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
}, 12 * 60_000);
afterAll(() => browser.close());

beforeEach(async () => {
  // A clock that stands still but for what the test moves.
  emulator = await startEmulator({ clock: new MovableClock({ now: () => Date.UTC(2026, 0, 1) }) });
  page = await browser.newPage();
  faults.length = 0;
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
});
afterEach(async () => {
  // A look of the page that is under way ends with it.
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.close();
  await emulator.close();
  expect(faults).toEqual([]);
  expect(emulator.control.internalErrors).toEqual([]);
});

const newProject = (name: string, organization = "acme"): string =>
  emulator.control.call("createProject", {
    body: { name, organization_slug: organization, db_pass: "a-password" },
  }).ref;
function functionForm(): FormData {
  const form = new FormData();
  form.append("metadata", JSON.stringify({ name: "hello", entrypoint_path: "index.ts" }));
  form.append("file", new Blob(["Deno.serve(() => new Response())"]), "index.ts");
  return form;
}
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor();

describe("the emulator's page", () => {
  it("says what to do while there is no project", async () => {
    await page.goto(emulator.url);
    await shows("No project yet: create one through the API and watch it come up.");
    await shows("No call yet.");
    expect(await page.title()).toBe("Management API emulator");
    expect(await page.locator("#address").textContent()).toBe(emulator.url);
  });

  it("is opened by the printed link where the control API needs a token, which its address does not keep", async () => {
    const guarded = await startEmulator({ controlToken: "control-token-of-the-test" });
    try {
      await page.goto(`${guarded.url}/#control-token=control-token-of-the-test`);
      await shows("No project yet: create one through the API and watch it come up.");
      expect(page.url()).toBe(`${guarded.url}/`);
      await page.reload();
      await shows("No project yet: create one through the API and watch it come up.");
    } finally {
      await page.goto("about:blank");
      await guarded.close();
    }
  });

  it("takes the token from the printed link where the page is open without one", async () => {
    const guarded = await startEmulator({ controlToken: "control-token-of-the-test" });
    try {
      await page.goto(guarded.url);
      await shows("open the link that the emulator printed at its start");
      await page.goto(`${guarded.url}/#control-token=control-token-of-the-test`);
      await shows("No project yet: create one through the API and watch it come up.");
      expect(page.url()).toBe(`${guarded.url}/`);
      // The looks before, each refused.
      expect(faults.every((fault) => fault.includes("401"))).toBe(true);
      faults.length = 0;
    } finally {
      await page.goto("about:blank");
      await guarded.close();
    }
  });

  it("shows a project settle, step by step, as the clock is moved by its buttons", async () => {
    await page.goto(emulator.url);
    const ref = newProject("shop");
    const card = page.locator(`[data-ref="${ref}"]`);
    await card.locator(".line .badge", { hasText: "UNKNOWN" }).waitFor();
    const step = card.locator('[aria-current="step"]');
    expect(await step.textContent()).toBe("UNKNOWN 2 s");
    await page.getByRole("button", { name: "+10 s" }).click();
    await card.locator(".line .badge", { hasText: "COMING_UP" }).waitFor();
    expect(await step.textContent()).toBe("COMING_UP 22 s");
    await page.getByRole("button", { name: "+1 min" }).click();
    await card.locator(".line .badge", { hasText: "ACTIVE_HEALTHY" }).waitFor();
    expect(await step.count()).toBe(0);
    expect(await card.locator(".services").textContent()).toBe("all 8 services healthy");
    expect(await page.locator("#now").textContent()).toBe("2026-01-01 00:01:10");
  });

  it("shows a branch with the steps of its run, and when a deletion is due", async () => {
    // There, all steps show from the beginning.
    emulator.control.set("service", "2026-06");
    const ref = newProject("shop");
    emulator.control.advance(120_000);
    const branch = emulator.control.call("createBranch", { ref, body: { branch_name: "feature" } });
    emulator.control.advance(5_000);
    await page.goto(emulator.url);
    const item = page.locator('[data-branch="feature"]');
    await item.locator(".badge", { hasText: "CREATING_PROJECT" }).waitFor();
    expect(await item.getByLabel("Steps of branch feature").locator("li").allTextContents()).toEqual([
      "clone",
      "pull",
      "health",
      "configure",
      "migrate",
      "seed",
      "deploy",
    ]);
    expect(await item.getByLabel("Steps of branch feature").locator(".current").textContent()).toBe("pull");
    emulator.control.advance(300_000);
    await item.locator(".badge", { hasText: "FUNCTIONS_DEPLOYED" }).waitFor();
    emulator.control.call("deleteBranch", { branch_id_or_ref: branch.id, force: false });
    await item.getByText("deleted in 60 min").waitFor();
    await page.getByRole("button", { name: "+1 h" }).click();
    await item.waitFor({ state: "detached" });
  });

  it("shows what settles beside the project: a network restriction, a replica, a hostname", async () => {
    const ref = newProject("shop");
    const { control } = emulator;
    control.advance(120_000);
    control.call("applyAddon", { ref, body: { addon_type: "custom_domain", addon_variant: "cd_default" } });
    control.call("initializeCustomHostname", { ref, body: { custom_hostname: "app.example.com" } });
    const body = { add: { dbAllowedCidrs: ["10.0.0.0/8"] } };
    control.call("patchNetworkRestrictions", { ref, body });
    await page.goto(emulator.url);
    await page.getByLabel("Network restrictions").locator(".current", { hasText: "stored 15 s" }).waitFor();
    await page
      .getByLabel("Custom hostname app.example.com")
      .locator(".current", { hasText: "2_initiated" })
      .waitFor();
    await page.getByRole("button", { name: "+1 min" }).click();
    await page.getByLabel("Network restrictions").waitFor({ state: "detached" });
  });

  it("lets its user approve an application, and leads back to it with a code", async () => {
    const app = emulator.control.createOAuthApp({
      name: "Deployer",
      scopes: ["projects:read"],
      redirectUris: ["https://app.example.com/back"],
    });
    await page.goto(emulator.url);
    const query = new URLSearchParams({
      client_id: app.clientId,
      response_type: "code",
      redirect_uri: "https://app.example.com/back",
      state: "a-state",
    });
    const asked = await fetch(`${emulator.url}/v1/oauth/authorize?${query.toString()}`);
    expect(asked.status).toBe(204);
    const request = page.locator(".authorization");
    await request.getByText("Deployer asks for projects:read").waitFor();
    await request.getByLabel("Organization").selectOption("acme");
    await request.getByRole("button", { name: "Approve" }).click();
    const back = new URL((await request.getByRole("link").getAttribute("href")) ?? "");
    expect(`${back.origin}${back.pathname}`).toBe("https://app.example.com/back");
    expect(back.searchParams.get("state")).toBe("a-state");
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      client_id: app.clientId,
      client_secret: app.clientSecret,
      code: back.searchParams.get("code") ?? "",
      redirect_uri: "https://app.example.com/back",
    });
    expect((await fetch(`${emulator.url}/v1/oauth/token`, { method: "POST", body })).status).toBe(201);
  });

  it("shows each call when it is made, newest first, and filters them", async () => {
    const ref = newProject("<b>not markup</b>");
    await page.goto(emulator.url);
    const headers = { authorization: `Bearer ${emulator.accessToken}` };
    await fetch(`${emulator.url}/v1/projects/${ref}`, { headers });
    await page.locator("#calls tr", { hasText: "getProject" }).waitFor();
    await fetch(`${emulator.url}/v1/organizations`);
    await page.locator("#calls tr", { hasText: "listOrganizations" }).waitFor();
    expect(await page.locator("#calls tr .badge").allTextContents()).toEqual(["401", "200"]);
    await page.getByRole("searchbox").fill("getproject");
    expect(await page.locator("#calls tr:visible").count()).toBe(1);
    await page.getByRole("searchbox").fill("no such thing");
    await shows("No call matches.");
    expect(await page.locator("h3").textContent()).toBe("<b>not markup</b>");
    expect(await page.content()).not.toContain(emulator.accessToken);
  });

  it("counts the services that are healthy, and names the others", async () => {
    const ref = newProject("shop", "hobby");
    emulator.control.advance(120_000);
    await page.goto(emulator.url);
    const health = page.locator(`[data-ref="${ref}"] .services`);
    await health.getByText("all 8 services healthy").waitFor();
    emulator.control.call("restartProject", { ref });
    emulator.control.advance(10_000);
    await health.getByText("5 of 8 services healthy").waitFor();
    await health.getByText("auth, pooler, storage: UNHEALTHY").waitFor();
  });

  it("shows what is in a project by name, on a click, as texts, and keeps it open", async () => {
    const { control } = emulator;
    const names = ["<script>alert(1)</script>", `"quoted" 'names'`, "\u202etxt.reversed"];
    const ref = newProject(names[2] ?? "");
    control.advance(120_000);
    control.call("createSecrets", { ref, body: [{ name: "PAYMENT_TOKEN", value: "the-value" }] });
    for (const name of names) {
      const query = `create table public."${name.replaceAll('"', '""')}" (id int)`;
      await control.call("applyMigration", { ref, body: { name, query } });
    }
    await page.goto(emulator.url);
    expect(await page.locator("h3").textContent()).toBe("\\u202etxt.reversed");
    const contents = page.locator(`[data-ref="${ref}"] details.contents`);
    await contents.locator("summary").focus();
    await page.keyboard.press("Enter");
    await contents.getByText("PAYMENT_TOKEN").waitFor();
    const shown = await contents.locator("dd").allTextContents();
    expect(shown).toEqual(
      expect.arrayContaining([
        "public.<script>alert(1)</script>",
        `public."quoted" 'names'`,
        "public.\\u202etxt.reversed",
        expect.stringMatching(/^\d+ <script>alert\(1\)<\/script>$/),
        "default secret",
      ]),
    );
    expect(await page.content()).not.toContain("the-value");
    // What comes later shows too, and the focus stays.
    await fetch(`${emulator.url}/v1/projects/${ref}/functions/deploy?slug=hello`, {
      method: "POST",
      headers: { authorization: `Bearer ${emulator.accessToken}` },
      body: functionForm(),
    });
    await contents.getByText("hello", { exact: true }).waitFor();
    expect(await page.evaluate("document.activeElement.dataset.contents")).toBe(ref);
    await page.keyboard.press("Enter");
    await contents.locator("dl").waitFor({ state: "detached" });
  });

  it("says why a paused project's tables cannot be read", async () => {
    const ref = newProject("shop", "hobby");
    emulator.control.advance(120_000);
    emulator.control.call("pauseProject", { ref });
    emulator.control.advance(600_000);
    await page.goto(emulator.url);
    await page.locator("details.contents summary").click();
    await shows(/^not readable: Project status is INACTIVE/);
  });

  it("sets the pace, breaks later calls and goes back to the seed by its controls", async () => {
    newProject("shop");
    await page.goto(emulator.url);
    await shows("shop");
    await page.getByLabel("Settles").selectOption("at once");
    await page.locator("h3 + .badge", { hasText: "ACTIVE_HEALTHY" }).waitFor();
    expect(emulator.control.overview().pace).toBe(0);

    await page.getByText("Break later calls").click();
    await page.locator("#operations option[value='listOrganizations']").waitFor({ state: "attached" });
    await page.getByLabel("The next").fill("2");
    await page.getByLabel("of", { exact: true }).fill("listOrganizations");
    await page.getByLabel("will").selectOption("do the work, then answer 500");
    await page.getByRole("button", { name: "Add" }).click();
    await shows("next 2 calls of listOrganizations: do the work, then answer 500");
    const status = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${emulator.accessToken}` };
      return (await fetch(`${emulator.url}/v1/organizations`, { headers })).status;
    };
    expect(await status()).toBe(500);
    await shows("next call of listOrganizations: do the work, then answer 500");
    await page.getByRole("button", { name: "Forget all" }).click();
    await page.locator("#pending-faults li").waitFor({ state: "detached" });
    expect(await status()).toBe(200);

    await page.getByLabel("of", { exact: true }).fill("noSuchOperation");
    await page.getByRole("button", { name: "Add" }).click();
    await page.getByRole("alert").getByText("operation").waitFor();
    expect(faults.splice(0)).toHaveLength(1);

    page.once("dialog", (dialog) => void dialog.dismiss());
    await page.getByRole("button", { name: "Reset" }).click();
    expect(emulator.control.call("listProjects", {})).toHaveLength(1);
    page.once("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Reset" }).click();
    await shows("No project yet: create one through the API and watch it come up.");
    await shows("No call yet.");
  });

  it("says that it is out of touch when the emulator ends, and keeps what it showed", async () => {
    newProject("shop");
    await page.goto(emulator.url);
    await shows("shop");
    await emulator.close();
    await shows(/Out of touch with the emulator/);
    expect(await page.locator("h3").textContent()).toBe("shop");
    // It goes on asking for as long as it is open.
    await page.goto("about:blank");
    faults.length = 0;
    emulator = await startEmulator();
  });
});

describe("the emulator's page with much to show", () => {
  const WINDOW_HEIGHT = 900;
  /** Of the text in a cell, which has some room above and below. */
  const LINE_HEIGHT = 18;

  /** The page at a width of the window, once the calls have come. */
  async function open(width: number, part = ""): Promise<void> {
    await makeBusy(emulator);
    await tellDurations(page);
    await page.setViewportSize({ width, height: WINDOW_HEIGHT });
    await page.goto(`${emulator.url}/${part}`);
    await page.locator("#calls tr").nth(5).waitFor({ state: "attached" });
  }

  /** A call that is refused, with secrets and a word that is longer than a line. */
  async function sendTooMuch(): Promise<void> {
    const body = {
      name: "n".repeat(400),
      organization_slug: "acme",
      db_pass: "a-secret-password",
      region: "x",
    };
    const answer = await fetch(`${emulator.url}/v1/projects?token=in-the-query`, {
      method: "POST",
      headers: { authorization: `Bearer ${emulator.accessToken}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    await page.locator("#calls tr", { hasText: "createProject" }).waitFor({ state: "attached" });
  }

  /** Where it is in the window, below the page's head. */
  async function isInSight(what: Locator, from?: number): Promise<boolean> {
    const box = await what.boundingBox();
    const head = await page.locator("header").boundingBox();
    if (box === null || head === null) return false;
    return box.y >= (from ?? head.y + head.height) && box.y + box.height <= WINDOW_HEIGHT;
  }

  it.each([1280, 700])("cuts no path of the API and no operation at %d pixels", async (width) => {
    await open(width, "#call-log");
    const rows = await page.locator("#calls tr").all();
    expect(rows).toHaveLength(6);
    for (const row of rows) {
      const box = await row.boundingBox();
      expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(width);
      // What nobody knows ends after three lines, with the operation below.
      expect((box?.height ?? Infinity) / LINE_HEIGHT).toBeLessThan(5);
    }
    const uncut = await page.evaluate<string[]>(`[...document.querySelectorAll("#calls .path span")]
      .filter((each) => each.scrollHeight <= each.clientHeight + 1).map((each) => each.textContent)`);
    expect(uncut).toHaveLength(5);
    expect(uncut.every((path) => path.startsWith("/v1/"))).toBe(true);
    const tooWide = await page.evaluate<number>(`[...document.querySelectorAll("#calls td")]
      .filter((each) => each.scrollWidth > each.clientWidth + 1).length`);
    expect(tooWide).toBe(0);
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  });

  it("marks slow calls in words, in the unit that fits, and finds them", async () => {
    await open(1400);
    const slow = page.locator("#calls tr.slow");
    expect(await slow.locator("td:last-child").allTextContents()).toEqual(["slow 1 min 35 s", "slow 3.0 s"]);
    const quick = page.locator("#calls tr", { has: page.getByText("getProject", { exact: true }) });
    expect(await quick.locator("td:last-child").textContent()).toBe("40 ms");
    await page.getByRole("searchbox").fill("slow");
    expect(await page.locator("#calls tr:visible").count()).toBe(2);
    await page.getByRole("searchbox").fill("fault");
    expect(await page.locator("#calls tr:visible").allTextContents()).toEqual([
      expect.stringContaining("502"),
    ]);
  });

  it("shows the end of a long path, and all of it with who called when it is opened", async () => {
    await open(700, "#call-log");
    const row = page.locator("#calls tr", { hasText: "getSsoProvider" });
    expect(await isInSight(row.locator(".path"))).toBe(true);
    const exchange = page.locator("#calls .exchange");
    expect(await exchange.count()).toBe(0);
    await row.locator("summary").click();
    expect(await exchange.getByLabel("Request").locator("h3 code").textContent()).toMatch(
      /^GET \/v1\/projects\/\w{20}\/config\/auth\/sso\/providers\/[\w-]{36}$/,
    );
    expect(await exchange.locator("small").textContent()).toContain("user:owner");
  });

  it("leads from a failed call to its request and answer in one click, without secrets", async () => {
    await open(700, "#call-log");
    await sendTooMuch();
    await page.locator("#calls tr", { hasText: "createProject" }).locator(".badge").click();
    const exchange = page.locator("#calls .exchange");
    const [request, answer] = [exchange.getByLabel("Request"), exchange.getByLabel("Answer")];
    expect(await request.locator("h3").textContent()).toBe("Request POST /v1/projects?token=••••••");
    expect(await request.locator("pre").textContent()).toContain('"db_pass": "••••••"');
    expect(await answer.locator("h3").textContent()).toBe("Answer 400");
    expect(await answer.locator("pre").textContent()).toContain("region: Invalid enum value");
    expect(await isInSight(answer.locator("pre"))).toBe(true);
    expect(await request.locator("dl").isVisible()).toBe(false);
    await request.getByText("headers").click();
    expect(await request.locator("dl").textContent()).toContain("authorizationBearer ••••••");
    const content = await page.content();
    for (const secret of [emulator.accessToken, "in-the-query", "a-secret-password"]) {
      expect(content).not.toContain(secret);
    }
    // Long words are broken.
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(700);
    await page.locator("#calls tr", { hasText: "createProject" }).locator(".badge").click();
    await exchange.waitFor({ state: "detached" });
  });

  it("says so where nothing is kept of a call, and where it was never answered", async () => {
    await open(700, "#call-log");
    emulator.control.addFault({ operation: "listOrganizations", drop: "before" });
    await fetch(`${emulator.url}/v1/organizations`).catch(() => undefined);
    const rows = page.locator("#calls tr");
    await rows.first().getByText("dropped").click();
    await shows("No answer was begun.");
    emulator.control.clearCalls();
    await rows.last().locator("summary").click();
    await shows(/Nothing is kept of the call/);
    // The answer 404 to that question.
    expect(faults.splice(0)).toHaveLength(1);
  });

  it("is used by keys alone, and keeps the focus when calls come", async () => {
    await open(700, "#call-log");
    // Past the summary of what breaks later calls.
    await page.locator("#faults summary").focus();
    await page.keyboard.press("Tab");
    const focused = (): Promise<string> =>
      page.evaluate<string>("document.activeElement.closest('tr')?.dataset.sequence ?? ''");
    expect(await focused()).toBe("6");
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).toBe("solid");
    await page.keyboard.press("Enter");
    await page.locator("#calls .exchange").getByLabel("Answer").waitFor();
    await sendTooMuch();
    await page.locator("#calls tr", { hasText: "createProject" }).waitFor();
    expect(await focused()).toBe("6");
    // To the body of the answer, which can be scrolled, and on to the headers.
    await page.keyboard.press("Tab");
    const tags: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      tags.push(await page.evaluate<string>("document.activeElement.tagName"));
      await page.keyboard.press("Tab");
    }
    expect(tags).toEqual(["SUMMARY", "PRE", "SUMMARY"]);
    await page.locator("#calls tr[data-sequence='6'] summary").focus();
    await page.keyboard.press("Enter");
    await page.locator("#calls .exchange").waitFor({ state: "detached" });
    await page.getByRole("searchbox").fill("createproject");
    expect(await page.locator("#calls tr:visible").count()).toBe(1);
  });

  it("shows what the failed step of a branch wrote", async () => {
    await open(1400);
    const item = page.locator('[data-branch="broken"]');
    expect(await item.locator("li.failed").textContent()).toBe("migrate failed");
    const log = item.locator("pre");
    expect(await log.isVisible()).toBe(true);
    for (const line of FAILURE_LOG.split("\n"))
      expect(await log.textContent()).toContain(`[migrate] ${line}`);
  });

  it("leads to the calls and back without scrolling where there is no room for both", async () => {
    await open(700);
    const firstCall = page.locator("#calls tr").first();
    await page.locator("[data-ref] >> nth=11").scrollIntoViewIfNeeded();
    expect(await firstCall.isVisible()).toBe(false);
    const link = page.getByRole("link", { name: "Calls 6" });
    expect(await isInSight(link, 0)).toBe(true);
    await link.click();
    expect(await isInSight(firstCall)).toBe(true);
    expect(await link.getAttribute("aria-current")).toBe("true");
    await page.getByRole("link", { name: "Projects 12" }).click();
    expect(await isInSight(page.locator("h3").first())).toBe(true);
    expect(await firstCall.isVisible()).toBe(false);
  });

  it("keeps the calls in sight beside the last of many projects where there is room for both", async () => {
    await open(1400);
    const last = page.locator("[data-ref]").nth(11);
    expect(await isInSight(last)).toBe(false);
    await last.scrollIntoViewIfNeeded();
    expect(await isInSight(last.locator("h3"))).toBe(true);
    expect(await isInSight(page.locator("#calls tr").first())).toBe(true);
  });

  describe.each(["light", "dark"] as const)("in %s colours", (colorScheme) => {
    /** What the guidelines for accessible pages ask of small texts. */
    const READABLE = 4.5;

    beforeEach(() => page.emulateMedia({ colorScheme }));

    /** A project that comes up, and an application that asks for approval. */
    async function makeSomethingPending(): Promise<void> {
      newProject("fresh");
      const redirectUri = "https://app.example.com/back";
      const { clientId } = emulator.control.createOAuthApp({
        name: "Deployer",
        scopes: ["projects:read"],
        redirectUris: [redirectUri],
      });
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: "code",
        redirect_uri: redirectUri,
      });
      await fetch(`${emulator.url}/v1/oauth/authorize?${query.toString()}`);
      await page.getByText("Deployer").waitFor({ state: "attached" });
      await page.getByText("fresh", { exact: true }).waitFor({ state: "attached" });
    }

    it.each([
      [1400, ""],
      [700, "#organizations"],
      [700, "#call-log"],
    ])("every text is readable at %d pixels %s", async (width, part) => {
      await open(width, part);
      await makeSomethingPending();
      if (part !== "#organizations") {
        await page.locator("#calls tr", { hasText: "getSsoProvider" }).locator("summary").click();
        await page.locator("#calls .exchange").getByText("headers").first().click();
      }
      const texts = await shownTexts(page);
      expect(texts.filter(({ contrast }) => contrast < READABLE)).toEqual([]);
      const said = texts.map(({ text }) => text);
      const always = ["Management API", "+10 s", "Deployer", "Approve"];
      const ofProjects = ["shop 1", "ACTIVE_HEALTHY", "MIGRATIONS_FAILED", "migrate failed", "COMING_UP"];
      const ofCalls = [
        "Request",
        "authorization",
        "Bearer ••••••",
        "Answer",
        "502",
        "404",
        "200",
        "slow 3.0 s",
        "fault",
        "getProject",
      ];
      const placeholder = "Filter by method, path, operation, status, slow or fault";
      expect(said).toEqual(expect.arrayContaining(always));
      if (part !== "#call-log") expect(said).toEqual(expect.arrayContaining(ofProjects));
      if (part !== "#organizations") expect(said).toEqual(expect.arrayContaining([...ofCalls, placeholder]));
    });

    it("the page, its cards and its fields are as light or dark as that asks for", async () => {
      await open(1400);
      const parts = ["body", "header", ".project", "#filter", "pre"];
      const colors = await Promise.all(parts.map((part) => backgroundOf(page, part)));
      for (const color of colors) {
        if (colorScheme === "dark") expect(lightness(color)).toBeLessThan(0.05);
        else expect(lightness(color)).toBeGreaterThan(0.85);
      }
      const [body, head, card, field, log] = colors;
      // What belongs together is told apart from the page by its own colour.
      expect(head).toBe(card);
      expect(card).not.toBe(body);
      expect([field, log]).toEqual([body, body]);
    });
  });
});
