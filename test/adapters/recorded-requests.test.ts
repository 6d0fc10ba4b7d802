import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { isObject } from "../../spec/is-object";
import { UNKNOWN } from "../../provider/define/unknown";
import { startScenario, type Scenario } from "../lifecycle/scenario";
import { call, detailedIn, startPluginProcess, type PluginProcess } from "./plugin-process";

type Members = Readonly<Record<string, unknown>>;

/** A request of the engine to a released plugin, and its answer, in the JSON form of their messages. */
interface Recorded {
  readonly method: "Check" | "Diff" | "Create" | "Update";
  readonly request: Members;
  readonly response: Members;
}

interface Recording {
  readonly version: string;
  readonly runs: readonly { readonly run: string; readonly calls: readonly Recorded[] }[];
}

const FOLDER = join(__dirname, "fixtures");
const recordings = readdirSync(FOLDER)
  .filter((name) => /^requests-.*\.json$/.test(name))
  // `tools/record-requests.ts` writes these files.
  .map((name) => JSON.parse(readFileSync(join(FOLDER, name), "utf8")) as Recording);

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function struct(value: unknown): Struct {
  // What is read from JSON is nothing but JSON.
  return Struct.fromJavaScript((isObject(value) ? value : {}) as Record<string, JavaScriptValue>);
}

type Replay = (plugin: PluginProcess, request: Members) => Promise<Members>;

function about<
  R extends { setUrn(urn: string): unknown; setType(type: string): unknown; setName(name: string): unknown },
>(message: R, request: Members): R {
  message.setUrn(text(request["urn"]));
  message.setType(text(request["type"]));
  message.setName(text(request["name"]));
  return message;
}

const replay: Readonly<Record<Recorded["method"], Replay>> = {
  Check: async (plugin, request) => {
    const message = about(new proto.CheckRequest(), request);
    message.setOlds(struct(request["olds"]));
    message.setNews(struct(request["news"]));
    message.setRandomseed(text(request["randomSeed"]));
    const response = await call<proto.CheckResponse>(plugin.client, "check", message);
    return {
      inputs: response.getInputs()?.toJavaScript(),
      failures: response.getFailuresList().map((failure) => failure.toObject()),
    };
  },
  Diff: async (plugin, request) => {
    const message = about(new proto.DiffRequest(), request);
    message.setId(text(request["id"]));
    message.setOlds(struct(request["olds"]));
    message.setNews(struct(request["news"]));
    message.setOldInputs(struct(request["oldInputs"]));
    const response = await call<proto.DiffResponse>(plugin.client, "diff", message);
    return {
      changes: nameIn(proto.DiffResponse.DiffChanges, response.getChanges()),
      diffs: response.getDiffsList(),
      replaces: response.getReplacesList(),
      deleteBeforeReplace: response.getDeletebeforereplace(),
      detailedDiff: detailedIn(response),
    };
  },
  Create: async (plugin, request) => {
    const message = about(new proto.CreateRequest(), request);
    message.setProperties(struct(request["properties"]));
    message.setPreview(true);
    const response = await call<proto.CreateResponse>(plugin.client, "create", message);
    return { properties: response.getProperties()?.toJavaScript() };
  },
  Update: async (plugin, request) => {
    const message = about(new proto.UpdateRequest(), request);
    message.setId(text(request["id"]));
    message.setOlds(struct(request["olds"]));
    message.setNews(struct(request["news"]));
    message.setOldInputs(struct(request["oldInputs"]));
    message.setPreview(true);
    const response = await call<proto.UpdateResponse>(plugin.client, "update", message);
    return { properties: response.getProperties()?.toJavaScript() };
  },
};

function nameIn(names: object, value: number): string | undefined {
  return Object.entries(names).find(([, number]) => number === value)?.[0];
}

/** Protobuf's JSON leaves out what is false, empty or the first of its kind. */
const expected: Readonly<Record<Recorded["method"], (response: Members) => Members>> = {
  Check: ({ inputs, failures = [] }) => ({ inputs, failures }),
  Diff: ({ changes, diffs = [], replaces = [], deleteBeforeReplace = false, detailedDiff = {} }) => ({
    changes,
    diffs,
    replaces,
    deleteBeforeReplace,
    detailedDiff: Object.fromEntries(
      Object.entries(isObject(detailedDiff) ? detailedDiff : {}).map(([path, detail]) => [
        path,
        isObject(detail) ? (detail["kind"] ?? "ADD") : undefined,
      ]),
    ),
  }),
  Create: ({ properties }) => ({ properties: expect.objectContaining(orKnown(properties)) as unknown }),
  Update: ({ properties }) => ({ properties: expect.objectContaining(orKnown(properties)) as unknown }),
};

/** Outputs of 0.1.0 that are the lifecycle's own since. */
const NO_OUTPUTS_NOW = ["previousValues", "previouslyUnset"];

/** What was not known in a preview may be known by now. */
function orKnown(properties: unknown): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(isObject(properties) ? properties : {})
      .filter(([name]) => !NO_OUTPUTS_NOW.includes(name))
      .map(([name, value]) => [name, loose(value)]),
  );
}

function loose(value: unknown): unknown {
  if (value === UNKNOWN) return expect.anything();
  return isObject(value) ? expect.objectContaining(orKnown(value)) : value;
}

/** What was answered wrongly: a standby key cannot be made while another one is there. */
function correction(method: Recorded["method"], { type, olds, news }: Members): Members {
  const isOther = (name: string): boolean =>
    isObject(olds) && isObject(news) && JSON.stringify(olds[name]) !== JSON.stringify(news[name]);
  const isReplacedInPlace =
    method === "Diff" &&
    type === "management:index:SigningKey" &&
    isOther("algorithm") &&
    !isOther("projectRef");
  return isReplacedInPlace ? { deleteBeforeReplace: true } : {};
}

describe.each(recordings.map((recording) => [recording.version, recording] as const))(
  "requests of the engine to version %s",
  (_version, { runs }) => {
    let scenario: Scenario;
    let plugin: PluginProcess;
    beforeAll(async () => {
      scenario = await startScenario();
      plugin = await startPluginProcess(scenario, "Project");
    });
    afterAll(async () => {
      await plugin.close();
      await scenario.close();
    });

    it("hold all nine resources, and a diff of each without and with a change", () => {
      const seen = new Map<string, Set<unknown>>();
      for (const { method, request, response } of runs.flatMap(({ calls }) => calls)) {
        const type = text(request["type"]);
        const outcomes = seen.get(type) ?? new Set();
        seen.set(type, outcomes.add(method === "Diff" ? response["changes"] : method));
      }
      expect(seen.size).toBe(9);
      for (const outcomes of seen.values()) {
        expect([...outcomes].sort()).toEqual(["Check", "Create", "DIFF_NONE", "DIFF_SOME", "Update"]);
      }
    });

    it.each(runs.map(({ run, calls }) => [run, calls] as const))(
      "get the same answers from the present version: %s",
      async (_run, calls) => {
        for (const { method, request, response } of calls) {
          const subject = { method, urn: request["urn"] };
          const answer = await replay[method](plugin, request);
          const wanted = { ...expected[method](response), ...correction(method, request) };
          expect({ ...subject, ...answer }).toEqual({ ...subject, ...wanted });
        }
        expect(scenario.calls()).toBe(0);
      },
    );
  },
);
