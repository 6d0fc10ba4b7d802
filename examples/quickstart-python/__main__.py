"""A whole project of the Management API with all nine kinds of resources."""

import pulumi
import pulumi_management as management

config = pulumi.Config()
custom_hostname = config.get("customHostname")

# The project, settled: every service is healthy before anything below is made.
project = management.Project(
    "app",
    name=config.get("projectName") or "quickstart",
    organization_slug=config.require("organizationSlug"),
    db_pass=config.require_secret("dbPass"),
    region=management.Region.EU_CENTRAL1,
)

settings = management.PostgresConfig(
    "settings",
    project_ref=project.ref,
    max_connections=120,
    statement_timeout="30s",
    work_mem="16MB",
)

# A database of its own for a preview; ready means usable.
preview = management.Branch(
    "preview",
    project_ref=project.ref,
    name="preview",
    git_branch="feature/checkout",
)

signing_key = management.SigningKey("signing-key", project_ref=project.ref, algorithm=management.SigningKeyAlgorithm.ES256)

api_key = management.ApiKey(
    "backend",
    project_ref=project.ref,
    type=management.ApiKeyType.SECRET,
    name="backend",
    description="Used by the backend.",
)

payment_token = management.Secret(
    "payment-token",
    project_ref=project.ref,
    name="PAYMENT_TOKEN",
    value=config.require_secret("paymentToken"),
)

hello = management.EdgeFunction(
    "hello",
    project_ref=project.ref,
    slug="hello",
    name="Hello",
    verify_jwt=True,
    source_dir="../quickstart/functions/hello",
)

sso = management.SsoProvider(
    "workforce",
    project_ref=project.ref,
    type="saml",
    metadata_url="https://idp.example.com/saml/metadata",
    domains=["example.com", "example.org"],
)

pulumi.export("ref", project.ref)
pulumi.export("databaseHost", project.database.host)
pulumi.export("branchRef", preview.ref)
pulumi.export("branchPassword", preview.password)
pulumi.export("backendKey", api_key.api_key)
pulumi.export("signingKeyId", signing_key.id)
pulumi.export("functionVersion", hello.version)
pulumi.export("secretInSync", payment_token.in_sync)
pulumi.export("ssoProviderId", sso.id)
pulumi.export("maxConnections", settings.max_connections)

# Needs the custom-domain add-on, and a domain of yours: set `customHostname` to have it.
if custom_hostname is not None:
    hostname = management.CustomHostname("hostname", project_ref=project.ref, custom_hostname=custom_hostname)
    pulumi.export("dnsRecords", hostname.validation_records)
