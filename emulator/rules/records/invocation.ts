/** One invocation of an edge function; the emulator runs none, so an operator tells of them. */
export interface InvocationRecord {
  readonly id: string;
  readonly functionId: string;
  readonly at: number;
  readonly statusCode: number;
  readonly executionMs: number;
}
