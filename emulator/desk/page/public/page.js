const POLL_MS = 500;
const MOST_CALLS_SHOWN = 300;
/** From when on a call is called slow, and from when on people wonder whether it ends at all. */
const SLOW_MS = 1_000;
const VERY_SLOW_MS = 30_000;

const byId = (id) => document.getElementById(id);
const shown = { logged: 0, cards: new Map(), calls: [], contents: new Map() };

/** Characters without a shape that turn the text around them. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const visible = (text) =>
  text.replace(TURNING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** An element with attributes and children; texts become text nodes, never markup, and cannot turn what follows. */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) element.setAttribute(name, value);
  const present = children.filter((child) => child !== undefined && child !== "");
  element.append(...present.map((child) => (typeof child === "string" ? visible(child) : child)));
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

/** More services of one status than these are counted, not named. */
const MOST_NAMED = 3;

/** In one line: how many are healthy, and what the others are. */
function healthLine(services) {
  const byStatus = Map.groupBy(services, ({ status }) => status);
  const items = [...byStatus].map(([status, those]) => {
    const mood = moodOf(status);
    const names = those.map(({ name }) => name).join(", ");
    const count =
      those.length === services.length ? `all ${those.length}` : `${those.length} of ${services.length}`;
    const isCounted = mood === "good" || those.length > MOST_NAMED;
    const errors = those.flatMap(({ name, error }) => (error === undefined ? [] : [`${name}: ${error}`]));
    return make(
      "li",
      { class: mood, title: visible([names, ...errors].join("\n")) },
      isCounted ? `${count} services ${mood === "good" ? "healthy" : status}` : `${names}: ${status}`,
    );
  });
  return make("ul", { class: "services", "aria-label": "Health of the services" }, ...items);
}

/** What is in a project, by numbers, and by names while it is open. */
function contentsOf({ ref, counts }) {
  const texts = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}: ${count}`);
  const contents = shown.contents.get(ref);
  const details = make(
    "details",
    { class: "contents", ...(contents === undefined ? {} : { open: "" }) },
    make("summary", { "data-contents": ref }, ["database", ...texts].join(" · ")),
    contents === undefined ? undefined : contentsList(contents),
  );
  details.addEventListener("toggle", () => {
    if (details.open === shown.contents.has(ref)) return;
    if (details.open) {
      shown.contents.set(ref, {});
      void readContents(ref);
    } else {
      shown.contents.delete(ref);
      showOrganizations(shown.overview);
    }
  });
  return details;
}

function contentsList({
  error,
  functions,
  secrets,
  apiKeys,
  signingKeys,
  migrations,
  tables,
  databaseError,
}) {
  if (error !== undefined) return make("p", { class: "note" }, error);
  if (functions === undefined) return make("p", { class: "note" }, "Reading …");
  const database = databaseError === undefined ? "none" : `not readable: ${databaseError}`;
  const lists = [
    ["Functions", functions.map(({ name, version, status }) => [name, `version ${version}, ${status}`])],
    ["Secrets", secrets.map((name) => [name])],
    ["API keys", apiKeys.map(({ name, type }) => [name, type])],
    ["Signing keys", signingKeys.map(({ algorithm, status }) => [algorithm, status])],
    ["Migrations", migrations.map(({ version, name }) => [version, name ?? ""]), database],
    ["Tables", tables.map((name) => [name]), database],
  ];
  return make(
    "dl",
    {},
    ...lists.flatMap(([title, items, none = "none"]) => [
      make("dt", {}, title),
      ...(items.length === 0
        ? [make("dd", { class: "note" }, none)]
        : items.map(([name, note = ""]) =>
            make("dd", {}, make("code", {}, name), note === "" ? "" : ` ${note}`),
          )),
    ]),
  );
}

/** Reads what is open of a project; what was closed meanwhile stays closed. */
async function readContents(ref) {
  let contents;
  try {
    contents = await control("GET", `contents?ref=${encodeURIComponent(ref)}`);
  } catch (error) {
    contents = { error: error.message };
  }
  if (!shown.contents.has(ref)) return;
  shown.contents.set(ref, contents);
  showOrganizations(shown.overview);
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
    preview === undefined ? undefined : healthLine(preview.services),
    preview === undefined ? undefined : contentsOf(preview),
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
    healthLine(project.services),
    contentsOf(project),
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
    const focused = document.activeElement?.dataset.contents;
    area.replaceChildren(...blocks);
    if (focused !== undefined) area.querySelector(`[data-contents="${CSS.escape(focused)}"]`)?.focus();
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

/** A path that is broken before its slashes where it does not fit. */
const pathText = (path) =>
  make("span", {}, ...path.split(/(?=\/)/).flatMap((segment) => [make("wbr"), segment]));

/** In one line where it has the room, and otherwise with the operation below the path. */
function callSummary({ method, path, operation, faulted }) {
  return make(
    "summary",
    { title: visible(`${method} ${path}`) },
    make("span", { class: "path" }, make("b", {}, method), " ", pathText(path)),
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

function forgetCalls() {
  shown.calls = [];
  byId("calls").replaceChildren();
  showCalls();
}

/** What a fault does, in the words that the page uses for it. */
const faultKinds = {
  "answer 502": { status: 502 },
  "answer 429": { status: 429 },
  "do the work, then answer 500": { status: 500, after: true },
  "take 45 s": { takesMs: 45_000 },
  "answer 3 s late": { delayMs: 3_000 },
  "drop the connection before the work": { drop: "before" },
  "drop the connection after the work": { drop: "after" },
  "cut the answer in the middle": { drop: "midway" },
  "never answer": { hold: "before" },
};

function faultText({ rule, remaining, skipping }) {
  const { operation, method, pathContains, times: _times, skip: _skip, ...effect } = rule;
  const known = Object.entries(faultKinds).find(
    ([, kind]) =>
      JSON.stringify(Object.entries(kind).sort()) === JSON.stringify(Object.entries(effect).sort()),
  );
  const calls = [
    remaining === 1 ? "next call" : `next ${remaining} calls`,
    operation === undefined ? "" : `of ${operation}`,
    method === undefined ? "" : `by ${method}`,
    pathContains === undefined ? "" : `to …${pathContains}…`,
    skipping === 0 ? "" : `after ${skipping} others`,
  ];
  return `${calls.filter((part) => part !== "").join(" ")}: ${known?.[0] ?? JSON.stringify(effect)}`;
}

function showFaults(faults) {
  const items = faults.map((fault) => make("li", {}, faultText(fault)));
  const list = byId("pending-faults");
  const fresh = make("ul", { id: "pending-faults" }, ...items);
  if (!list.isEqualNode(fresh)) list.replaceWith(fresh);
  byId("fault-count").textContent = faults.length === 0 ? "" : String(faults.length);
  byId("clear-faults").disabled = faults.length === 0;
}

const paces = {
  1: "as the service",
  0.1: "ten times as fast",
  0.01: "a hundred times as fast",
  0: "at once",
};

/** A choice that is open in the hands of its user is left alone. */
function showPace(pace) {
  const choice = byId("pace");
  if (document.activeElement === choice || shown.pace === pace) return;
  shown.pace = pace;
  const known = new Set([...Object.keys(paces).map(Number), pace]);
  choice.replaceChildren(
    ...[...known]
      .sort((left, right) => right - left)
      .map((each) => make("option", { value: String(each) }, paces[each] ?? `factor ${each}`)),
  );
  choice.value = String(pace);
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
  shown.overview = overview;
  const hasChanged = overview.logged !== shown.logged;
  // Fewer than before: another emulator has started here, whose calls come with the next look.
  if (overview.logged < shown.logged) forgetCalls();
  shown.logged = overview.logged < shown.logged ? 0 : overview.logged;
  byId("now").textContent = new Date(overview.now).toISOString().replace("T", " ").slice(0, 19);
  showPace(overview.pace);
  showFaults(overview.faults);
  byId("project-count").textContent = String(
    overview.organizations.flatMap(({ projects }) => projects).length,
  );
  byId("call-count").textContent = overview.logged === 0 ? "" : String(overview.logged);
  showAuthorizations(overview);
  showOrganizations(overview);
  takeCalls(overview.calls);
  if (hasChanged) for (const ref of shown.contents.keys()) void readContents(ref);
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
/** Does what a button asks for and shows the result at once, or why it was refused. */
async function act(method, path, body) {
  try {
    await control(method, path, body);
  } catch (error) {
    byId("refusal").textContent = visible(error.message);
    return false;
  }
  byId("refusal").textContent = "";
  await tick();
  return true;
}

for (const button of document.querySelectorAll("[data-advance]")) {
  button.addEventListener("click", () => act("POST", "advance", { ms: Number(button.dataset.advance) }));
}
byId("pace").addEventListener("change", async ({ target }) => {
  const isSet = await act("POST", "pace", { pace: Number(target.value) });
  if (isSet) shown.pace = Number(target.value);
  else target.value = String(shown.pace);
});
byId("reset").addEventListener("click", async () => {
  const question =
    "Reset the emulator to its seed? Projects, databases, tokens, faults and calls of later are lost.";
  if (!confirm(question)) return;
  if (await act("POST", "reset")) forgetCalls();
});

byId("fault-kind").append(...Object.keys(faultKinds).map((kind) => make("option", {}, kind)));
byId("faults").addEventListener("toggle", async () => {
  const names = byId("operations");
  if (!byId("faults").open || names.children.length > 0) return;
  const { paths } = await control("GET", "openapi.json");
  const methods = Object.values(paths).flatMap((path) => Object.values(path));
  const ids = methods.map(({ operationId }) => operationId).filter((id) => id !== undefined);
  names.replaceChildren(...ids.sort().map((value) => make("option", { value })));
});
byId("fault").addEventListener("submit", async (event) => {
  event.preventDefault();
  const operation = byId("fault-operation").value.trim();
  await act("POST", "faults", {
    ...(operation === "" ? {} : { operation }),
    ...faultKinds[byId("fault-kind").value],
    times: Number(byId("fault-times").value),
  });
});
byId("clear-faults").addEventListener("click", () => act("DELETE", "faults"));
byId("filter").addEventListener("input", showCalls);
byId("address").textContent = location.origin;
for (;;) {
  await tick();
  await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
