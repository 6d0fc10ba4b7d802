/** Services by which usage is counted (service, Analytics). */
export type CalledService = "auth" | "realtime" | "rest" | "storage";

/** Which service of a project a path concerns; what concerns no other one counts as a call to the REST API. */
export function serviceOf(path: string): CalledService {
  const [part, setting] = path.split("/").slice(4);
  const concerned = part === "config" ? setting : part;
  return concerned === "auth" || concerned === "realtime" || concerned === "storage" ? concerned : "rest";
}
