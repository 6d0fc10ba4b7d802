import type { z } from "zod";
import type { updateAuthConfigBody } from "../../../spec/auth-config-body";
import type { RequestIssue } from "../../server/invalid-request";

type Body = z.output<typeof updateAuthConfigBody>;

const loopback = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** What is wrong with the addresses that a change of the auth configuration sets. */
export function authUrlFaults(body: Body): RequestIssue[] {
  return [
    ...faultOf("site_url", body.site_url, (text) => URL.canParse(text), "is not a URL"),
    ...faultOf("saml_external_url", body.saml_external_url, isWeb, "is not an http or https URL"),
    ...faultOf("smtp_port", body.smtp_port, isPort, "is not a port number"),
    ...faultOf("uri_allow_list", body.uri_allow_list, isAllowList, "is not a comma-separated list of URLs"),
    ...Object.entries(body)
      .filter(([field]) => /^hook_\w+_uri$/.test(field))
      .flatMap(([field, uri]) =>
        faultOf(
          field,
          uri,
          isHookUri,
          "is neither an https URL nor pg-functions://postgres/<schema>/<function>",
        ),
      ),
  ];
}

/** Null and the empty text take a value away. */
function faultOf(
  field: string,
  value: unknown,
  isFine: (text: string) => boolean,
  otherwise: string,
): RequestIssue[] {
  if (typeof value !== "string" || value === "" || isFine(value)) return [];
  return [{ path: field, message: `"${value}" ${otherwise}` }];
}

function isWeb(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function isPort(text: string): boolean {
  return /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

/** Wildcards stand anywhere: `https://*.example.com/**`. */
function isAllowList(text: string): boolean {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries.every((entry) => entry === "" || /^[a-z][a-z0-9+.-]*:\S+$/i.test(entry));
}

/** Postgres functions, or the web; unencrypted only on the machine itself. */
function isHookUri(text: string): boolean {
  if (/^pg-functions:\/\/postgres\/\w+\/\w+$/.test(text)) return true;
  if (!isWeb(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || loopback.has(hostname);
}
