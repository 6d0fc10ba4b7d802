/** What every function of the shop answers with. */
export function answer(body: unknown): Response {
  return Response.json(body, { headers: { "access-control-allow-origin": "*" } });
}
