import type { Exchange } from "../../../tools/acceptance/exchange";
import { maskExchanges } from "../../../tools/acceptance/mask";

const known = { named: new Map([["acme", "<organization>"]]), texts: new Set(["sent by the run"]) };

function masked(answer: unknown, status = 200): unknown {
  const exchange: Exchange = {
    type: "ApiKey",
    step: "create",
    operation: "listApiKeys",
    method: "GET",
    path: "/v1/projects/{ref}/api-keys",
    query: {},
    status,
    answer,
  };
  return maskExchanges([exchange], known)[0]?.answer;
}

it.each([
  ["acme", "<organization>"],
  ["sent by the run", "sent by the run"],
  ["ACTIVE_HEALTHY", "ACTIVE_HEALTHY"],
  ["A_STATE_OF_TOMORROW", "A_STATE_OF_TOMORROW"],
  ["publishable", "publishable"],
  ["16MB", "16MB"],
  ["", ""],
  ["hunter2", "<text>"],
  ["svc_secret_1234567890", "<text>"],
  ["abcdefghijklmnopqrst", "<ref>"],
  ["2026-01-01T00:00:00.000Z", "<time>"],
  ["0f8fad5b-d9cb-469f-a165-70867728950e", "<uuid>"],
  ["jane@example.com", "<email>"],
  ["postgresql://postgres:secret@db.example.com/postgres", "<url>"],
])("replaces the value %j by %j", (text, expected) => {
  expect(masked({ field: text })).toEqual({ field: expected });
});

it("keeps numbers of settings, and none that identifies something", () => {
  expect(masked({ limit: 100, id: 7, project_id: 8, created_at: 1_700_000_000_000, paused: false })).toEqual({
    limit: 100,
    id: "<number>",
    project_id: "<number>",
    created_at: "<number>",
    paused: false,
  });
});

it("replaces keys of a map that identify something", () => {
  expect(masked({ "0f8fad5b-d9cb-469f-a165-70867728950e": 1 })).toEqual({ "<uuid>": 1 });
});

it("keeps the sentence of a refusal without what identifies somebody", () => {
  const message =
    "jane@example.com may not change abcdefghijklmnopqrst of acme with sb_1234567890abcdefghij at 203.0.113.7.";
  expect(masked({ message }, 403)).toEqual({
    message: "<email> may not change <ref> of <organization> with <token> at <ip>.",
  });
});
