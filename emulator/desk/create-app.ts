import type { Hono } from "hono";
import { createProjectHost } from "../service/project-host/project-host";
import { type AppEnv, createApp } from "../service/server/app";
import type { Service } from "../service/server/service";
import type { EmulatorClock } from "../service/world/clock";
import type { Control } from "./control/control";
import { createControlApp } from "./control/http";
import { createPageApp } from "./page/page-app";

interface Desk {
  readonly control: Control;
  readonly clock: EmulatorClock;
  readonly controlToken: string | undefined;
}

/** The API with all that the emulator serves beside it. */
export function createEmulatorApp(service: Service, { control, clock, controlToken }: Desk): Hono<AppEnv> {
  const app = createApp(service);
  app.route("/", createPageApp());
  app.route("/_project", createProjectHost(service.world));
  app.route("/_control", createControlApp(control, clock, service.wire, controlToken));
  return app;
}
