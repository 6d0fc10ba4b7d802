import { answer } from "../_shared/answer.ts";

Deno.serve(() => answer({ payments: Deno.env.get("PAYMENT_URL") ?? "not configured" }));
