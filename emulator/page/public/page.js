const POLL_MS = 500;
const MOST_CALLS_SHOWN = 300;
/** From when on a call is called slow, and from when on people wonder whether it ends at all. */
const SLOW_MS = 1_000;
const VERY_SLOW_MS = 30_000;

const byId = (id) => document.getElementById(id);
const shown = { logged: 0, cards: new Map(), calls: [] };

/** An element with attributes and children; texts become text nodes, never markup. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== undefined && child !== ""));
  return element;
}

const moods = {
  good: ["ACTIVE_HEALTHY", "FUNCTIONS_DEPLOYED", "MIGRATIONS_PASSED"],
  bad: [/FAILED$/, "UNHEALTHY", "ACTIVE_UNHEALTHY", "REMOVED"],
  idle: ["INACTIVE"],
};

function moodOf(status) {
  for (const [mood, patterns] of Object.entries(moods)) {
    if (patterns.some((pattern) => (pattern instanceof RegExp ? pattern.test(status) : pattern === status)))
      return mood;
  }
  return "busy";
}

const badge = (status) => make("span", { class: `badge ${moodOf(status)}` }, status);

function remaining(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

/** How long something took, in the unit that fits. */
function durationText(ms) {
  if (ms < 9.95) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

function stepList(steps, now, label) {
  if (steps.length === 0) return undefined;
  return make(
    "ol",
    { class: "steps", "aria-label": label },
    ...steps.map(({ name, state, endsAt }) =>
      make(
        "li",
        { class: state, ...(state === "current" ? { "aria-current": "step" } : {}) },
        name,
        state === "failed" ? " failed" : "",
        state === "current" && endsAt !== undefined ? ` ${remaining(endsAt - now)}` : "",
      ),
    ),
  );
}

function serviceDots(services) {
  return make(
    "ul",
    { class: "services", "aria-label": "Health of the services" },
    ...services.map(({ name, status, error }) =>
      make(
        "li",
        {
          class: moodOf(status),
          title: error === undefined ? `${name}: ${status}` : `${name}: ${status} (${error})`,
        },
        name,
      ),
    ),
  );
}

function countsOf(counts) {
  const texts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}: ${count}`);
  return texts.length === 0 ? undefined : make("p", { class: "counts" }, texts.join(" · "));
}

/** What the step wrote at which a branch's run died. */
function failureLog({ name, log }) {
  return make(
    "figure",
    { class: "failure" },
    make("figcaption", {}, `Log of the failed step ${name}`),
    make("pre", { tabindex: "0" }, log.trimEnd()),
  );
}

/** Steps are shown while something is under way, or has failed. */
const isUnderWay = (steps) => steps.some(({ state }) => state === "current" || state === "failed");

function branchItem(branch, now) {
  const { preview } = branch;
  return make(
    "li",
    { class: "branch", "data-branch": branch.name },
    make(
      "div",
      { class: "line" },
      make("strong", {}, branch.name),
      branch.isDefault ? make("span", { class: "note" }, "default") : badge(branch.status),
      branch.persistent && !branch.isDefault ? make("span", { class: "note" }, "persistent") : undefined,
      branch.deletionScheduledAt === null
        ? undefined
        : make("span", { class: "badge bad" }, `deleted in ${remaining(branch.deletionScheduledAt - now)}`),
      make("code", {}, branch.ref),
    ),
    isUnderWay(branch.steps) ? stepList(branch.steps, now, `Steps of branch ${branch.name}`) : undefined,
    branch.failure === undefined ? undefined : failureLog(branch.failure),
    preview === undefined
      ? undefined
      : make(
          "div",
          { class: "line" },
          make("span", { class: "note" }, "preview project"),
          badge(preview.status),
        ),
    preview !== undefined && isUnderWay(preview.steps)
      ? stepList(preview.steps, now, `Preview project of ${branch.name}`)
      : undefined,
    preview === undefined ? undefined : serviceDots(preview.services),
  );
}

function projectCard(project, now) {
  return make(
    "article",
    { class: "project", "data-ref": project.ref },
    make("div", { class: "line" }, make("h3", {}, project.name), badge(project.status)),
    make(
      "p",
      { class: "facts" },
      make("code", {}, project.ref),
      ` ${project.region} · ${project.size} · Postgres ${project.version}`,
    ),
    isUnderWay(project.steps) ? stepList(project.steps, now, `Steps of ${project.name}`) : undefined,
    ...project.settling.map(({ what, steps }) =>
      make("div", { class: "settling" }, make("span", { class: "note" }, what), stepList(steps, now, what)),
    ),
    serviceDots(project.services),
    countsOf(project.counts),
    project.branches.length === 0
      ? undefined
      : make("ul", { class: "branches" }, ...project.branches.map((branch) => branchItem(branch, now))),
  );
}

function organizationBlock({ slug, name, plan, projects }, now) {
  return make(
    "section",
    { class: "organization", "data-slug": slug },
    make("h2", {}, name, " ", make("small", {}, `${slug} · ${plan}`)),
    ...(projects.length === 0
      ? [make("p", { class: "empty" }, "No project yet: create one through the API and watch it come up.")]
      : projects.map((project) => projectCard(project, now))),
  );
}

/** Blocks are made anew only when what they show has changed, so that a selection survives. */
function showOrganizations({ organizations, now }) {
  const area = byId("organizations");
  const blocks = organizations.map((organization) => {
    const made = organizationBlock(organization, now);
    const before = shown.cards.get(organization.slug);
    if (before?.isEqualNode(made)) return before;
    shown.cards.set(organization.slug, made);
    return made;
  });
  if (
    blocks.length !== area.children.length ||
    blocks.some((block, index) => area.children[index] !== block)
  ) {
    area.replaceChildren(...blocks);
  }
}

/** Asks for the user's consent; the address to which the user's browser would be sent is shown as a link. */
function authorizationItem({ id, application, scopes, projectRef, organizationSlug }, organizations) {
  const choice = make(
    "select",
    { "aria-label": "Organization" },
    ...(projectRef === null ? [make("option", { value: "" }, "every organization")] : []),
    ...organizations.map(({ slug, name }) => make("option", { value: slug }, name)),
  );
  const outcome = make("span", { role: "status" });
  const decide = (how) => async () => {
    const slug = organizationSlug ?? choice.value;
    const given = how === "approve" && slug !== "" ? { id, organizationSlug: slug } : { id };
    try {
      const { redirectTo } = await control("POST", `authorizations/${how}`, given);
      outcome.replaceChildren(
        "Decided: ",
        make("a", { href: redirectTo, rel: "noreferrer" }, "back to the application"),
      );
      item.dataset.decided = "";
      for (const button of item.querySelectorAll("button")) button.disabled = true;
    } catch (error) {
      outcome.textContent = error.message;
    }
  };
  const button = (text, how) => {
    const made = make("button", {}, text);
    made.addEventListener("click", decide(how));
    return made;
  };
  const wish =
    projectRef === null ? `asks for ${scopes.join(", ") || "no scope"}` : `claims the project ${projectRef}`;
  const item = make(
    "p",
    { class: "line authorization", "data-request": id },
    make("span", {}, make("strong", {}, application), ` ${wish}`),
    organizationSlug === null ? choice : make("span", { class: "note" }, organizationSlug),
    button("Approve", "approve"),
    button("Deny", "deny"),
    outcome,
  );
  return item;
}

/** What was decided stays, with its link, until another request comes. */
function showAuthorizations({ authorizations, organizations }) {
  const area = byId("authorizations");
  const known = new Set([...area.children].map(({ dataset }) => dataset.request));
  const fresh = authorizations.filter(({ id }) => !known.has(id));
  if (fresh.length > 0) for (const item of area.querySelectorAll("[data-decided]")) item.remove();
  const pending = new Set(authorizations.map(({ id }) => id));
  for (const item of [...area.children]) {
    if (!pending.has(item.dataset.request) && item.dataset.decided === undefined) item.remove();
  }
  area.append(...fresh.map((authorization) => authorizationItem(authorization, organizations)));
}

/** In one line: of a long path first its beginning is cut, which most calls have in common. */
function callSummary({ method, path, operation, faulted }) {
  const [, start = path, end = ""] = /^(\/v1\/[^/]+\/[^/]+)(\/.*)$/.exec(path) ?? [];
  return make(
    "summary",
    { title: `${method} ${path}` },
    make("b", {}, method),
    make("span", { class: "path" }, make("span", {}, start), make("span", { class: "end" }, end)),
    make("small", {}, operation ?? "no such operation"),
    faulted ? make("span", { class: "badge idle" }, "fault") : undefined,
  );
}

/** Below its row, over the whole width of the table, and only while that is open. */
function exchangeRow(call) {
  const { sequence, method, path, operation, identity, requestId } = call;
  const facts = [operation ?? "no such operation", identity, `request ${requestId}`];
  const exchange = make("div", {}, make("code", {}, `${method} ${path}`));
  const row = make(
    "tr",
    { class: "exchange" },
    make("td", { colspan: "4" }, exchange, make("small", {}, facts.join(" · "))),
  );
  void showExchange(exchange, sequence);
  return row;
}

async function showExchange(area, sequence) {
  try {
    const { request, answer } = await control("GET", `calls/exchange?sequence=${sequence}`);
    area.replaceChildren(
      message("Request", `${request.method} ${request.path}`, request),
      answer === null
        ? make("p", { class: "note" }, "No answer was begun.")
        : message("Answer", `${answer.status}${answer.isCut ? ", cut in the middle" : ""}`, answer),
    );
  } catch (error) {
    area.append(make("p", { class: "note" }, error.message));
  }
}

/** The first line, the headers and the body of a request or an answer. */
function message(title, line, { headers, body }) {
  const fields = Object.entries(headers).map(([name, value]) =>
    make("div", {}, make("dt", {}, name), make("dd", {}, value)),
  );
  return make(
    "section",
    { "aria-label": title },
    make("h3", {}, title, " ", make("code", {}, line)),
    body === null ? make("p", { class: "note" }, "No body.") : make("pre", { tabindex: "0" }, body),
    fields.length === 0
      ? undefined
      : make("details", {}, make("summary", {}, `${fields.length} headers`), make("dl", {}, ...fields)),
  );
}

function callDetails(call) {
  const details = make("details", { class: "call" }, callSummary(call));
  let opened;
  details.addEventListener("toggle", () => {
    opened?.remove();
    opened = undefined;
    const row = details.closest("tr");
    if (!details.open || row === null) return;
    opened = exchangeRow(call);
    row.after(opened);
  });
  return details;
}

/** Slow calls say so, not by their colour alone. */
function durationMark({ durationMs }) {
  const text = durationText(durationMs);
  if (durationMs < SLOW_MS) return text;
  return make("span", { class: `badge ${durationMs < VERY_SLOW_MS ? "warn" : "bad"}` }, `slow ${text}`);
}

function callRow(call) {
  const mood = call.status === 0 || call.status >= 500 ? "bad" : call.status >= 400 ? "warn" : "good";
  const details = callDetails(call);
  const row = make(
    "tr",
    { "data-sequence": String(call.sequence), class: call.durationMs < SLOW_MS ? undefined : "slow" },
    make("td", {}, new Date(call.at).toISOString().slice(11, 19)),
    make(
      "td",
      {},
      make("span", { class: `badge ${mood}` }, call.status === 0 ? "dropped" : String(call.status)),
    ),
    make("td", { class: "wide" }, details),
    make("td", { class: "number" }, durationMark(call)),
  );
  // All of the row opens it; within it the browser does.
  row.addEventListener("click", ({ target }) => {
    if (!details.contains(target)) details.open = !details.open;
  });
  return row;
}

/** Rows stay where they are, so that neither the focus nor a selection is lost when calls come. */
function showCalls() {
  const wanted = byId("filter").value.trim().toLowerCase();
  for (const { row, text } of shown.calls) row.hidden = !text.includes(wanted);
  for (const exchange of document.querySelectorAll("#calls .exchange")) {
    exchange.hidden = exchange.previousElementSibling?.hidden ?? true;
  }
  const isEmpty = shown.calls.every(({ row }) => row.hidden);
  byId("no-calls").hidden = !isEmpty;
  byId("no-calls").textContent = shown.calls.length === 0 ? "No call yet." : "No call matches.";
}

function takeCalls(calls) {
  if (calls.length === 0) return;
  const fresh = calls.toReversed().map((call) => ({
    row: callRow(call),
    text: [
      `${call.method} ${call.path} ${call.operation ?? ""} ${call.status === 0 ? "dropped" : call.status}`,
      call.durationMs < SLOW_MS ? "" : "slow",
      call.faulted ? "fault" : "",
    ]
      .join(" ")
      .toLowerCase(),
  }));
  const all = [...fresh, ...shown.calls];
  shown.calls = all.slice(0, MOST_CALLS_SHOWN);
  byId("calls").prepend(...fresh.map(({ row }) => row));
  for (const { row } of all.slice(MOST_CALLS_SHOWN)) {
    if (row.nextElementSibling?.classList.contains("exchange")) row.nextElementSibling.remove();
    row.remove();
  }
  showCalls();
}

const CONTROL_TOKEN = "control-token";

/** The link that the emulator prints holds the token of its control API; the address does not keep it. */
function takeControlToken() {
  const [, token] = /^#control-token=(.+)$/.exec(location.hash) ?? [];
  if (token === undefined) return;
  sessionStorage.setItem(CONTROL_TOKEN, token);
  history.replaceState(null, "", location.pathname);
}

async function control(method, path, body) {
  const token = sessionStorage.getItem(CONTROL_TOKEN);
  const answer = await fetch(`/_control/${path}`, {
    method,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const value = await answer.json();
  if (!answer.ok) throw new Error(value.message ?? `The emulator answers ${answer.status}`);
  return value;
}

async function refresh() {
  const overview = await control("GET", `overview?since=${shown.logged}`);
  // Fewer than before: another emulator has started here, whose calls come with the next look.
  shown.logged = overview.logged < shown.logged ? 0 : overview.logged;
  byId("now").textContent = new Date(overview.now).toISOString().replace("T", " ").slice(0, 19);
  byId("pace").textContent = overview.pace === 1 ? "" : `pace ${overview.pace}`;
  byId("project-count").textContent = String(
    overview.organizations.flatMap(({ projects }) => projects).length,
  );
  byId("call-count").textContent = overview.logged === 0 ? "" : String(overview.logged);
  showAuthorizations(overview);
  showOrganizations(overview);
  takeCalls(overview.calls);
}

async function tick() {
  try {
    await refresh();
    byId("connection").textContent = "";
  } catch (error) {
    byId("connection").textContent = `Out of touch with the emulator: ${error.message}`;
  }
}

/** Where there is no room for both, the address says which part is shown. */
function markShownPart() {
  for (const link of document.querySelectorAll("nav a")) {
    const isShown = link.hash === (location.hash || "#organizations");
    if (isShown) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

takeControlToken();
addEventListener("hashchange", () => {
  takeControlToken();
  markShownPart();
});
markShownPart();
for (const button of document.querySelectorAll("[data-advance]")) {
  button.addEventListener("click", async () => {
    try {
      await control("POST", "advance", { ms: Number(button.dataset.advance) });
    } catch (error) {
      byId("connection").textContent = error.message;
      return;
    }
    await tick();
  });
}
byId("filter").addEventListener("input", showCalls);
byId("address").textContent = location.origin;
for (;;) {
  await tick();
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
