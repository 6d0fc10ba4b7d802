/** What is said of a named type beyond its zod schema. */
export interface TypeFacts {
  /** The name, where the one made of its first place does not do: for a type that several places share. */
  readonly name?: string;
  /** What it is; a single place's own description serves where there is none. */
  readonly description?: string;
  /** Stands before enum values that begin with a digit, which no language takes for a name. */
  readonly beforeDigits?: string;
  /** Names of enum values, where the one made of the value does not do. */
  readonly valueNames?: Readonly<Record<string, string>>;
  /** An integer that needs more than 32 bits, as a time in milliseconds: C# and Java have no such integers here. */
  readonly isWide?: true;
  /** Descriptions of enum values. */
  readonly values?: Readonly<Record<string, string>>;
  /** Descriptions of fields that have none of their own: those of a standard, which is the wire's form. */
  readonly fields?: Readonly<Record<string, string>>;
}

const SAML = "urn:oasis:names:tc:SAML";

/** Members of a JSON Web Key (RFC 7517, 7518, 8037). */
const jwkFields = {
  kid: "Identifier of the key, a UUID.",
  kty: "Kind of the key.",
  use: "What the key is for: `sig`.",
  key_ops: "What the key may do: `sign` and `verify`.",
  ext: "Whether the key may be exported: `true`.",
  alg: "Algorithm of the signature.",
  crv: "Curve of the key.",
};
const base64url = "base64url";

/** By the name that is made of the first place at which a type is met, as `ProjectRegionSelection`. */
export const typeFacts: Readonly<Record<string, TypeFacts>> = {
  ProjectRegion: { name: "Region", description: "A region in which a project can run." },
  ProjectRegionSelection: {
    description: "A region, or a group of regions in which the service chooses.",
  },
  ProjectRegionSelectionType: { description: "Whether a region or a group of regions is selected." },
  ProjectRegionSelectionCode: { description: "A region, or a group of regions." },
  ProjectDesiredInstanceSize: {
    name: "InstanceSize",
    description: "Compute size of a database.",
    beforeDigits: "Size",
  },
  ProjectWaitForService: {
    name: "HealthService",
    description: "A service of a project, whose health is reported.",
  },
  BranchPostgresEngine: {
    name: "PostgresEngine",
    description: "A Postgres engine: the major version, and the kind where it is not the usual one.",
    beforeDigits: "V",
  },
  BranchReleaseChannel: { name: "ReleaseChannel", description: "Release channel of a Postgres image." },
  SigningKeyAlgorithm: { description: "Algorithm by which a key signs.", valueNames: { EdDSA: "EdDSA" } },
  SigningKeyStatus: { description: "State of a signing key." },
  SigningKeyPrivateJwkRsa: {
    name: "RsaPrivateJwk",
    description: "A private RSA key as a JWK, for RS256.",
    fields: {
      ...jwkFields,
      n: `Modulus, ${base64url}.`,
      e: "Exponent: `AQAB`.",
      d: `Private exponent, ${base64url}.`,
      p: `First prime factor, ${base64url}.`,
      q: `Second prime factor, ${base64url}.`,
      dp: `Exponent of the first factor, ${base64url}.`,
      dq: `Exponent of the second factor, ${base64url}.`,
      qi: `Coefficient of the first factor, ${base64url}.`,
    },
  },
  SigningKeyPrivateJwkRsaKeyOp: { name: "JwkOperation", description: "What a JSON Web Key may do." },
  SigningKeyPrivateJwkEC: {
    name: "EcPrivateJwk",
    description: "A private key on the curve P-256 as a JWK, for ES256.",
    fields: {
      ...jwkFields,
      x: `First coordinate of the public point, ${base64url}.`,
      y: `Second coordinate of the public point, ${base64url}.`,
      d: `Private key, ${base64url}.`,
    },
  },
  SigningKeyPrivateJwkOkp: {
    name: "OkpPrivateJwk",
    description: "A private key on the curve Ed25519 as a JWK, for EdDSA.",
    fields: { ...jwkFields, x: `Public key, ${base64url}.`, d: `Private key, ${base64url}.` },
  },
  SigningKeyPrivateJwkOct: {
    name: "OctPrivateJwk",
    description: "A shared secret as a JWK, for HS256.",
    fields: { ...jwkFields, k: `The secret, at least 16 characters, ${base64url}.` },
  },
  EdgeFunctionUpdatedAt: { isWide: true },
  ApiKeyType: { description: "Kind of an API key." },
  SsoProviderAttributeMappingKey: {
    name: "SsoProviderAttributeMappingKey",
    description: "The SAML attribute from which a user's attribute is taken.",
  },
  SsoProviderNameIdFormat: {
    description: "Format of a SAML name identifier.",
    valueNames: {
      [`${SAML}:1.1:nameid-format:unspecified`]: "Unspecified",
      [`${SAML}:2.0:nameid-format:transient`]: "Transient",
      [`${SAML}:1.1:nameid-format:emailAddress`]: "EmailAddress",
      [`${SAML}:2.0:nameid-format:persistent`]: "Persistent",
    },
  },
  CustomHostnameValidationRecord: {
    name: "CustomHostnameValidationRecord",
    description: "A DNS record by which the certificate is validated.",
  },
  PostgresConfigSessionReplicationRole: {
    name: "PostgresConfigSessionReplicationRole",
    description: "Which triggers and rules fire in a session.",
  },
  ProjectDatabase: { name: "ProjectDatabase", description: "The database of a project." },
  SsoProviderAttributeMapping: {
    name: "SsoProviderAttributeMapping",
    description: "How SAML attributes become attributes of the user.",
  },
  CustomHostnameOwnershipVerification: {
    name: "CustomHostnameOwnershipVerification",
    description: "The DNS record that proves the ownership of a hostname.",
  },
  GetApiKeysApiKey: { description: "An API key of a project." },
  GetAvailableRegionsAll: { description: "All regions and groups of regions." },
  GetAvailableRegionsContinent: {
    description: "A continent.",
    valueNames: {
      NA: "NorthAmerica",
      SA: "SouthAmerica",
      EU: "Europe",
      AF: "Africa",
      AS: "Asia",
      OC: "Oceania",
      AN: "Antarctica",
    },
  },
  GetAvailableRegionsRecommendations: { description: "The regions and the group of regions recommended." },
  GetAvailableRegionsRecommendationsSmartGroup: {
    name: "AvailableRegionGroup",
    description: "A group of regions in which the service chooses.",
  },
  GetAvailableRegionsRecommendationsSpecific: { name: "AvailableRegion", description: "A region." },
  GetFunctionsFunction: { description: "An edge function of a project." },
  GetFunctionsFunctionCreatedAt: { isWide: true },
  GetFunctionsFunctionUpdatedAt: { isWide: true },
  GetHealthService: { description: "The health of a service." },
  GetProjectsProject: { description: "A project of an organization, or the project of a branch." },
  GetProjectsProjectDatabase: { description: "A database of a project: the primary one, or a read replica." },
  GetProjectsSort: { description: "An order of projects." },
  GetProjectsStatus: { description: "A state of a project by which the service can filter." },
  GetSigningKeysSigningKey: { description: "A key that signs the JWTs of a project." },
  GetSsoProvidersSsoProvider: { description: "A SAML identity provider of a project." },
  GetUpgradeEligibilityTargetUpgradeVersion: { description: "A version to which a project can be upgraded." },
  GetUpgradeEligibilityValidationError: {
    description: "What stands in the way of an upgrade, with the details of its kind.",
  },
};
