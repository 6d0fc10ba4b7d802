import { Hono, type Context } from "hono";
import { projectAt } from "../rules/shared/project-at";
import { publicKeySet, verifiedClaims } from "../rules/auth/json-web-tokens";
import type { ProjectRecord } from "../world/records/project";
import { serviceHealth } from "../rules/shared/service-health";
import { bearerTokenIn } from "../server/authorization";
import type { World } from "../world/world";
import { Refusal } from "../answers/refusal";

/**
 * What a project's own host serves, below `/_project/{ref}` since the emulator has one address:
 *
 * | path                              | what it answers                                               |
 * |-----------------------------------|---------------------------------------------------------------|
 * | GET auth/v1/.well-known/jwks.json | the public keys by which anyone verifies the project's tokens |
 * | GET auth/v1/user                  | the claims of the bearer token, when the project trusts it    |
 */
export function createProjectHost(world: World): Hono {
  const app = new Hono();
  app.get("/:ref/auth/v1/.well-known/jwks.json", (context) =>
    context.json(publicKeySet(reachable(world, context))),
  );
  app.get("/:ref/auth/v1/user", (context) => {
    const project = reachable(world, context);
    const token = bearerTokenIn(context.req.header("authorization"));
    if (token === undefined) throw new Refusal(401, "Send a token as `Authorization: Bearer`");
    const claims = verifiedClaims(world, project, token);
    if (claims === undefined) {
      throw new Refusal(401, "The token has expired, or no key that the project trusts has signed it");
    }
    return context.json(claims);
  });
  app.all("*", (context) => context.json({ message: "This host serves nothing here" }, 404));
  app.onError((error) => {
    if (!(error instanceof Refusal)) throw error;
    return Response.json({ message: error.message }, { status: error.status });
  });
  return app;
}

/** A project whose auth service runs. */
function reachable(world: World, context: Context): ProjectRecord {
  const project = projectAt(world, context.req.param("ref") ?? "");
  const { healthy, error, status } = serviceHealth(world, project, "auth");
  if (!healthy) throw new Refusal(503, `The project's auth service is not healthy: ${error ?? status}`);
  return project;
}
