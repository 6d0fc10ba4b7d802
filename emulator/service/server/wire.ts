import type { z } from "zod";
import type { Names } from "../../../spec/names/names";
import type { Operation, Success } from "../../../spec/operation";
import { childAt, shapeOf } from "../../../spec/shape-of";
import { coerceFields } from "./coerce";
import { readBody } from "./read-body";
import { refusalReply, successReply, type Reply } from "./reply";
import type { ApiRequest } from "./request";
import type { Input } from "./validate";
import { QuotingRefusal, type Refusal } from "../answers/refusal";

/**
 * Requests and answers as callers have them on the wire. This is the one place of the server where an installation's names for
 * the specification's placeholders are exchanged: everything around it has those of the specification.
 */
export class ServerWire {
  constructor(private readonly names: Names) {}

  /** A path of the operation table as callers write it. */
  path(template: string): string {
    return this.names.path(template);
  }

  /** What a request says, not yet compared with its operation. */
  async input({ params, query, headers, body }: Operation, request: ApiRequest): Promise<Input> {
    return {
      params: this.read(params, request.params),
      query: this.read(query, coerceFields(request.query, this.fieldsOf(query))),
      headers: sentHeaders(headers, request),
      body: body && this.read(body.schema, await readBody(body, request, this.fieldsOf(body.schema))),
    };
  }

  success(success: Success, answer: unknown): Reply {
    const isJson = success.contentType === "application/json" && success.header === undefined;
    return successReply(success, isJson ? this.names.toWire.value(success.schema, answer) : answer);
  }

  refusal(refusal: Refusal): Reply {
    return refusal instanceof QuotingRefusal
      ? refusalReply(refusal)
      : refusalReply(refusal, (text) => this.text(text));
  }

  /** What is said to people, or any other text. */
  text(text: string): string {
    return this.names.toWire.text(text);
  }

  private read(schema: z.ZodType, value: unknown): unknown {
    return value instanceof Uint8Array ? value : this.names.fromWire.value(schema, value);
  }

  /** Finds the schema of a field by the name that callers give it. */
  private fieldsOf(schema: z.ZodType): (name: string) => z.ZodType | undefined {
    const shape = shapeOf(schema);
    return (name) => childAt(shape, this.names.fromWire.key(schema, name));
  }
}

/** The names of headers are the same in every installation. */
function sentHeaders({ shape }: Operation["headers"], request: ApiRequest): Record<string, unknown> {
  return Object.fromEntries(
    Object.keys(shape).flatMap((name) => {
      const text = request.header(name);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}
