import { operations } from "../../spec/table";
import { Call } from "./call";
import type { CallOptions, CallServices } from "./call-subject";
import { type FunctionSource, decodeFunctionSource } from "./function-source/function-source";
import type { ParametersOf } from "./signatures";

/** Answers of `multipart/form-data`, decoded: `await client.parts.getFunctionBody({ ref, function_slug })`. */
export interface Parts {
  /** A function's source file by file, as it was deployed. */
  readonly getFunctionBody: (
    parameters: Omit<ParametersOf<"getFunctionBody">, "Accept">,
    options?: CallOptions,
  ) => Promise<FunctionSource>;
}

export function createParts(services: CallServices): Parts {
  return {
    getFunctionBody: async (given, options = {}) => {
      const parameters = { ...given, Accept: "multipart/form-data" };
      const subject = {
        name: "getFunctionBody",
        operation: operations.getFunctionBody,
        parameters,
        options,
      };
      return new Call(services, subject).run(decodeFunctionSource);
    },
  };
}
