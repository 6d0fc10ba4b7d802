import { z } from "zod";
import { formed } from "../../../define/markers";
import { flag, group, secretText, text, textLike, type SettingsNamed, type SettingsOf } from "./field-kinds";

const saml = {
  enabled: flag("users can sign in by SAML"),
  externalUrl: textLike(
    formed(z.string().regex(/^[^,]+$/), "a URL without commas", "https://auth.example.com").describe(
      "URL by which identity providers know the service, where it is not the project's own.",
    ),
  ),
} satisfies SettingsOf<"saml_">;

const partnerOauth = {
  clientId: text("Client id at the partner"),
  clientSecret: secretText("Client secret at the partner"),
} satisfies SettingsOf<"partner_oauth_">;

const oauthServer = {
  enabled: flag("the project is an OAuth server for other applications"),
  allowDynamicRegistration: flag("applications can register themselves"),
  authorizationPath: text("Path below `siteUrl` of the page on which users consent"),
  customOauthEnabled: flag("further OAuth providers can be configured"),
} satisfies SettingsOf<"oauth_server_"> & SettingsNamed<"custom_oauth_enabled">;

export const federationGroups = {
  saml: group("Saml", "Signing in by SAML.", saml),
  partnerOauth: group("PartnerOauth", "Signing in by the partner.", partnerOauth),
  oauthServer: group("OauthServer", "The project as an OAuth server.", oauthServer),
};
