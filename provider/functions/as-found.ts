import { z } from "zod";

/** A resource's outputs as a function returns them: it reads an object in whatever state, which may lack any of them. */
export function asFound<S extends z.ZodRawShape>(outputs: S) {
  return z.object(outputs).partial().shape;
}
