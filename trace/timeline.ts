import { isFailed, formatTraceSeconds, spanOf, type TraceLine } from "./trace";

/** One HTML page, which needs nothing else: a row for each request, its bar where it was in time. */
export function renderTimeline(requests: readonly TraceLine[], summary: string): string {
  const { beganMs, endedMs } = spanOf(requests);
  const scale = 100 / Math.max(1, endedMs - beganMs);
  const rows = groupByResource(requests).flatMap(([resource, of]) => [
    `<tr class="resource"><th colspan="4">${escapeHtml(resource)}</th></tr>`,
    ...of.map((request) => rowOf(request, beganMs, scale)),
  ]);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Calls of a run</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Calls of a run</h1>
<pre>${escapeHtml(summary)}</pre>
<p><span class="key wait"></span> waits for the rate limit <span class="key call"></span> request <span class="key failed"></span> failed request</p>
<table>
<thead><tr><th>Operation</th><th>Outcome</th><th>Time</th><th class="time">${formatTraceSeconds(0)} to ${formatTraceSeconds(endedMs - beganMs)}</th></tr></thead>
<tbody>
${rows.join("\n")}
</tbody>
</table>
</body>
</html>
`;
}

/** In the order of their first requests. */
function groupByResource(requests: readonly TraceLine[]): [string, TraceLine[]][] {
  const groups = new Map<string, TraceLine[]>();
  for (const request of requests) {
    const name = request.resource ?? "No resource";
    groups.set(name, [...(groups.get(name) ?? []), request]);
  }
  return [...groups];
}

function rowOf(request: TraceLine, beganMs: number, scale: number): string {
  const { operation, attempt, status, failure, requestId, waitedMs, durationMs, at } = request;
  const again = attempt > 1 ? ` (attempt ${attempt})` : "";
  const outcome = status ?? failure ?? "no answer";
  const title = requestId === undefined ? "" : ` title="Request id ${escapeHtml(requestId)}"`;
  const startMs = Date.parse(at) - beganMs;
  const bars = [
    ...(waitedMs > 0 ? [renderBar("wait", startMs - waitedMs, waitedMs, scale)] : []),
    renderBar(isFailed(request) ? "failed" : "call", startMs, durationMs, scale),
  ];
  return `<tr${title}><td>${escapeHtml(operation + again)}</td><td>${escapeHtml(String(outcome))}</td><td>${formatTraceSeconds(durationMs)}</td><td class="time">${bars.join("")}</td></tr>`;
}

function renderBar(
  kind: "wait" | "call" | "failed",
  fromMs: number,
  lengthMs: number,
  scale: number,
): string {
  const left = (fromMs * scale).toFixed(3);
  const width = (lengthMs * scale).toFixed(3);
  return `<i class="${kind}" style="left:${left}%;width:max(2px,${width}%)"></i>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

const STYLE = `
:root { color-scheme: light dark; --wait: #c9a227; --call: #3572b0; --failed: #c0392b; }
body { font: 14px/1.4 system-ui, sans-serif; margin: 1.5rem; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: 2px 8px; text-align: left; white-space: nowrap; }
tr.resource th { padding-top: 10px; }
.time { position: relative; width: 60%; }
td.time { height: 14px; }
i { position: absolute; top: 4px; height: 12px; border-radius: 2px; }
.key { display: inline-block; width: 12px; height: 12px; border-radius: 2px; margin-left: 1em; }
.wait { background: var(--wait); } .call { background: var(--call); } .failed { background: var(--failed); }
`;
