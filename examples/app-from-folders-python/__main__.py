"""An application from its folders of migrations and functions and its .env file."""

from pathlib import Path
from typing import Optional

import pulumi
import pulumi_management as management

config = pulumi.Config()

project = management.Project(
    "app",
    name=config.get("projectName") or "shop",
    organization_slug=config.require("organizationSlug"),
    db_pass=config.require_secret("dbPass"),
    region=management.Region.EU_CENTRAL1,
)

# `query` works with every token that may write the database; the endpoint for migrations is open to few.
schema = management.MigrationSet(
    "schema",
    project_ref=project.ref,
    directory="../app-from-folders/migrations",
    via=management.MigrationVia.QUERY,
)

environment = management.SecretSet("environment", project_ref=project.ref, env_file="../app-from-folders/.env")

# The functions find their tables and their secrets from the first call on.
backend = management.FunctionSet(
    "backend",
    project_ref=project.ref,
    source_dir="../app-from-folders/functions",
    functions={"health": management.FunctionSetOptionsArgs(verify_jwt=False)},
    opts=pulumi.ResourceOptions(depends_on=[schema, environment]),
)

# What is read of the schema is read after it.
migrated = pulumi.Output.all(schema.project_ref, schema.latest_version).apply(lambda known: str(known[0]))


def write_types(text: Optional[str]) -> None:
    if text is not None and not pulumi.runtime.is_dry_run():
        Path("database.types.ts").write_text(text, encoding="utf-8")


management.get_typescript_types_output(project_ref=migrated).types.apply(write_types)
advisors = management.get_advisors_output(project_ref=migrated)

pulumi.export("ref", project.ref)
pulumi.export("latestMigration", schema.latest_version)
pulumi.export("functions", backend.names)
pulumi.export("secrets", environment.names)
pulumi.export(
    "advice",
    pulumi.Output.all(advisors.security, advisors.performance).apply(
        lambda found: [f"{lint['level']}: {lint['detail']}" for lints in found for lint in lints or []]
    ),
)
