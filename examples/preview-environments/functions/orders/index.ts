Deno.serve(() => Response.json({ orders: [] }));
