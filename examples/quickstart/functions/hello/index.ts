import { corsHeaders } from "../_shared/cors.ts";

Deno.serve(async (request: Request) => {
  if (request.method === "OPTIONS") return new Response("ok", { headers: corsHeaders });
  const { name = "world" } = await request.json().catch(() => ({}));
  return Response.json({ message: `Hello ${name}!` }, { headers: corsHeaders });
});
