import { z } from "zod";
import { functionStatus } from "../../../../spec/operations/functions";
import { bytes, mapOf, time } from "./fields";

export const secretRecord = z.strictObject({ value: z.string(), updatedAt: time });

export const bundle = z.strictObject({
  /** By path; empty when it was uploaded in one piece. */
  files: mapOf(z.string(), bytes),
  entrypointPath: z.string().nullable(),
  importMapPath: z.string().nullable(),
  staticPatterns: z.array(z.string()),
  /** What was uploaded in one piece. */
  uploaded: bytes.nullable(),
});
export type Bundle = z.infer<typeof bundle>;

export const functionRecord = z.strictObject({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  status: functionStatus,
  version: z.number(),
  createdAt: time,
  updatedAt: time,
  verifyJwt: z.boolean(),
  importMap: z.boolean(),
  entrypointPath: z.string().nullable(),
  importMapPath: z.string().nullable(),
  ezbrSha256: z.string().nullable(),
  /** What a newer service keeps of a function beyond the documents. */
  further: z.record(z.string(), z.unknown()).optional(),
});
export type FunctionRecord = z.infer<typeof functionRecord>;

/** One invocation of an edge function; the emulator runs none, so an operator reports them. */
export const invocationRecord = z.strictObject({
  id: z.string(),
  functionId: z.string(),
  at: time,
  statusCode: z.number(),
  executionMs: z.number(),
});
export type InvocationRecord = z.infer<typeof invocationRecord>;
