import { z } from "zod";
import { ApiError, NetworkError } from "../../../provider/client";
import type { SettingValues } from "../../../provider/settings/mapping/original-values";
import { defineSettings } from "../../../provider/settings/settings";
import { comparedBy } from "../../../provider/define/markers";
import { bareContext } from "../../kit/bare-context";

const REF = "abcdefghijklmnopqrst";
const settings = {
  colour: comparedBy(z.string(), (value) => String(value).toLowerCase()).optional(),
  size: z.int().optional(),
};

/** A service that holds one configuration. */
function service(mode: "replace" | "merge", initially: SettingValues) {
  const writes: SettingValues[] = [];
  const failures: (() => Error | undefined)[] = [];
  let values: SettingValues = initially;
  let reads = 0;
  const resource = defineSettings({
    type: "Paint",
    description: "",
    settings,
    options: { option: z.boolean().optional() },
    outputs: {},
    wireNames: {},
    body: z.object({ colour: z.string().nullish(), size: z.int().nullish() }),
    timeouts: { create: 60, update: 60, delete: 60 },
    mode,
    showsOnlySet: true,
    services: [],
    get: () => {
      reads += 1;
      return Promise.resolve(values);
    },
    put: (_ctx, _ref, sent) => {
      writes.push(sent);
      const before = values;
      values = mode === "replace" ? sent : { ...values, ...sent };
      const failure = failures.shift()?.();
      if (failure === undefined) return Promise.resolve(values);
      if (failure instanceof ApiError) values = before;
      return Promise.reject(failure);
    },
  });
  const ctx = bareContext();
  return {
    resource,
    ctx,
    writes,
    failures,
    values: () => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null)),
    edit: (edited: SettingValues) => {
      values = edited;
    },
    reads: () => reads,
  };
}

describe.each(["replace", "merge"] as const)("settings in the mode %s", (mode) => {
  it("keep what is not declared and remember what was there", async () => {
    const { resource, ctx, values } = service(mode, { colour: "red", other: "kept" });
    const made = await resource.create(ctx, { projectRef: REF, colour: "blue", size: 3 });
    expect(values()).toEqual({ colour: "blue", size: 3, other: "kept" });
    expect(made).toEqual({
      id: REF,
      outputs: { __found: { values: { colour: "red" }, unset: ["size"] } },
    });
  });

  it("restore on delete what they found", async () => {
    const { resource, ctx, values } = service(mode, { colour: "red", other: "kept" });
    const made = await resource.create(ctx, { projectRef: REF, colour: "blue", size: 3 });
    await resource.delete(ctx, { id: REF, state: { colour: "blue", size: 3, ...made.outputs } });
    expect(values()).toEqual({ colour: "red", other: "kept" });
  });

  it("restore a setting that is taken out of the program, and only that", async () => {
    const { resource, ctx, values } = service(mode, { colour: "red" });
    const declared = { projectRef: REF, colour: "blue", size: 3 };
    const made = await resource.create(ctx, declared);
    const updated = await resource.update?.(ctx, {
      id: REF,
      state: { ...declared, ...made.outputs },
      inputs: { projectRef: REF, colour: "blue" },
      changed: new Set(["size"] as const),
    });
    expect(values()).toEqual({ colour: "blue" });
    expect(updated?.outputs).toEqual({ __found: { values: { colour: "red" }, unset: [] } });
  });

  it("remember the value of a setting that is declared later, and keep the first one when it changes again", async () => {
    const { resource, ctx } = service(mode, { colour: "red", size: 7 });
    const made = await resource.create(ctx, { projectRef: REF, colour: "blue" });
    const updated = await resource.update?.(ctx, {
      id: REF,
      state: { colour: "blue", ...made.outputs },
      inputs: { projectRef: REF, colour: "green", size: 3 },
      changed: new Set(["colour", "size"] as const),
    });
    expect(updated?.outputs).toMatchObject({ __found: { values: { colour: "red", size: 7 } } });
  });

  it("write nothing where the service has the declared values in another spelling", async () => {
    const { resource, ctx, writes } = service(mode, { colour: "RED" });
    await resource.create(ctx, { projectRef: REF, colour: "red" });
    expect(writes).toEqual([]);
  });

  it("leave alone what changed elsewhere when another setting is updated", async () => {
    const { resource, ctx, values, edit } = service(mode, {});
    const declared = { projectRef: REF, colour: "blue", size: 3 };
    const made = await resource.create(ctx, declared);
    edit({ colour: "by hand", size: 3 });
    await resource.update?.(ctx, {
      id: REF,
      state: { ...declared, ...made.outputs },
      inputs: { ...declared, size: 4 },
      changed: new Set(["size"] as const),
    });
    expect(values()).toEqual({ colour: "by hand", size: 4 });
  });

  it("show unset settings as null, ask once for several reads and, where nobody can take it back, use the answer of a write", async () => {
    const { resource, ctx, reads } = service(mode, { colour: "red" });
    const look = () => resource.read(ctx, { id: REF, state: {} });
    expect(await Promise.all([look(), look()])).toMatchObject([
      { inputs: { projectRef: REF, colour: "red", size: null } },
      { inputs: { colour: "red", size: null } },
    ]);
    expect(reads()).toBe(1);
    await resource.create(ctx, { projectRef: REF, size: 1 });
    expect(await look()).toMatchObject({ inputs: { colour: "red", size: 1 } });
    // A write of the whole may be taken back by another one: what is there is read.
    expect(reads()).toBe(mode === "replace" ? 3 : 2);
  });

  it("do not take their own value for the one found when the write's outcome was unclear", async () => {
    const { resource, ctx, writes, failures } = service(mode, { colour: "red" });
    failures.push(() => new NetworkError("the connection broke", true));
    const made = await resource.create(ctx, { projectRef: REF, colour: "blue" });
    expect(made.outputs).toMatchObject({ __found: { values: { colour: "red" } } });
    expect(writes).toHaveLength(1);
  });

  it("are written again when the look-up shows that the write did not happen", async () => {
    const { resource, ctx, writes, failures, values } = service(mode, { colour: "red" });
    failures.push(() => new ApiError({ status: 500, operation: "put", serviceMessage: "" }));
    await resource.create(ctx, { projectRef: REF, colour: "blue" });
    expect(writes).toHaveLength(2);
    expect(values()).toEqual({ colour: "blue" });
  });

  it("are not undone by another resource of the same configuration that runs beside", async () => {
    const { resource, ctx, values } = service(mode, {});
    const [a, b] = await Promise.all([
      resource.create(ctx, { projectRef: REF, colour: "blue" }),
      resource.create(ctx, { projectRef: REF, size: 1 }),
    ]);
    expect(values()).toEqual({ colour: "blue", size: 1 });
    await Promise.all([
      resource.delete(ctx, { id: REF, state: { ...a.outputs } }),
      resource.delete(ctx, { id: REF, state: { ...b.outputs } }),
    ]);
    expect(values()).toEqual({});
  });

  it("stay as they are when a resource that was imported is deleted", async () => {
    const { resource, ctx, writes } = service(mode, { colour: "red" });
    const imported = await resource.read(ctx, { id: REF, state: {} });
    await resource.delete(ctx, { id: REF, state: { colour: "red", ...imported?.outputs } });
    expect(writes).toEqual([]);
  });
});

it("sends the whole set in the mode replace and only differences in the mode merge", async () => {
  const replacing = service("replace", { colour: "red", other: 1 });
  await replacing.resource.create(replacing.ctx, { projectRef: REF, colour: "red", size: 2 });
  expect(replacing.writes).toEqual([{ colour: "red", other: 1, size: 2 }]);
  const merging = service("merge", { colour: "red", other: 1 });
  await merging.resource.create(merging.ctx, { projectRef: REF, colour: "red", size: 2 });
  expect(merging.writes).toEqual([{ size: 2 }]);
});
