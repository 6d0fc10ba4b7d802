import type { Examples } from "../example";

export const database: Examples = {
  CryptoExtensionKey: {
    config: { projectRef: "text", rootKey: "secret" },
    declares: {
      encryption: {
        resource: "CryptoExtensionKey",
        properties: { projectRef: "${projectRef}", rootKey: "${rootKey}", allowKeyChange: true },
      },
    },
  },

  DatabaseWebhooks: {
    config: { projectRef: "text" },
    declares: {
      webhooks: {
        resource: "DatabaseWebhooks",
        properties: { projectRef: "${projectRef}" },
      },
    },
  },

  Disk: {
    config: { projectRef: "text" },
    declares: {
      disk: {
        resource: "Disk",
        properties: { projectRef: "${projectRef}", type: "gp3", sizeGb: 64, iops: 4000 },
      },
    },
    outputs: { sizeGb: "${disk.currentSizeGb}" },
  },

  JitAccess: {
    config: { projectRef: "text" },
    declares: {
      jitAccess: {
        resource: "JitAccess",
        properties: { projectRef: "${projectRef}", state: "enabled" },
      },
    },
  },

  JitUser: {
    config: { projectRef: "text" },
    declares: {
      onCall: {
        resource: "JitUser",
        properties: {
          projectRef: "${projectRef}",
          userId: "7f0c9a2e-3b1d-4c5e-8f6a-0b1c2d3e4f50",
          roles: [
            {
              role: "postgres",
              expiresAt: "2030-01-31T18:00:00Z",
              allowedCidrs: ["192.0.2.0/24"],
              allowedCidrsV6: ["2001:db8::/32"],
            },
          ],
        },
      },
    },
  },

  LoginRole: {
    config: { projectRef: "text" },
    declares: {
      reporting: {
        resource: "LoginRole",
        properties: { projectRef: "${projectRef}", readOnly: true, rotateBefore: 120 },
      },
    },
    outputs: { user: "${reporting.role}", expiresAt: "${reporting.expiresAt}" },
  },

  MigrationSet: {
    config: { projectRef: "text" },
    declares: {
      schema: {
        resource: "MigrationSet",
        properties: { projectRef: "${projectRef}", directory: "migrations" },
      },
    },
    outputs: { latest: "${schema.latestVersion}" },
  },

  Migration: {
    config: { projectRef: "text" },
    declares: {
      orders: {
        resource: "Migration",
        properties: {
          projectRef: "${projectRef}",
          version: "20260101120000",
          name: "create_orders",
          query: "create table orders (id bigint primary key);",
          rollback: "drop table orders;",
        },
      },
      index: {
        comment: "Without `dependsOn`, both would be applied at the same time.",
        resource: "Migration",
        properties: {
          projectRef: "${projectRef}",
          version: "20260102120000",
          name: "index_orders",
          query: "create index orders_id on orders (id);",
        },
        dependsOn: ["orders"],
      },
    },
  },

  PoolerConfig: {
    config: { projectRef: "text" },
    declares: {
      pooler: {
        resource: "PoolerConfig",
        properties: { projectRef: "${projectRef}", poolMode: "transaction", defaultPoolSize: 30 },
      },
    },
    outputs: { poolerHost: "${pooler.dbHost}", poolerPort: "${pooler.dbPort}" },
  },

  PostgresConfig: {
    config: { projectRef: "text" },
    declares: {
      settings: {
        resource: "PostgresConfig",
        properties: {
          projectRef: "${projectRef}",
          maxConnections: 120,
          statementTimeout: "30s",
          workMem: "16MB",
          trackCommitTimestamp: true,
          restartDatabase: true,
        },
      },
    },
  },

  ReadReplica: {
    config: { projectRef: "text" },
    declares: {
      replica: {
        resource: "ReadReplica",
        properties: { projectRef: "${projectRef}", region: "us-east-1" },
      },
    },
    outputs: { status: "${replica.status}" },
  },

  SslEnforcement: {
    config: { projectRef: "text" },
    declares: {
      ssl: {
        resource: "SslEnforcement",
        properties: { projectRef: "${projectRef}", database: true },
      },
    },
  },

  BackupRestore: {
    declares: {
      lastNight: {
        comment: "Everything written after the backup is lost. `getBackups` lists the identifiers.",
        resource: "BackupRestore",
        properties: {
          projectRef: "abcdefghijklmnopqrst",
          confirm: "abcdefghijklmnopqrst",
          backupId: 17,
        },
      },
    },
  },

  BackupSchedule: {
    config: { projectRef: "text" },
    declares: {
      nightly: {
        resource: "BackupSchedule",
        properties: { projectRef: "${projectRef}", scheduleFor: "03:00" },
      },
    },
  },

  RestorePoint: {
    config: { projectRef: "text" },
    declares: {
      beforeImport: {
        resource: "RestorePoint",
        properties: { projectRef: "${projectRef}", name: "before-import" },
      },
    },
    outputs: { completedAt: "${beforeImport.completedAt}" },
  },

  RestorePointUndo: {
    declares: {
      undoImport: {
        comment: "Everything written after the restore point is lost.",
        resource: "RestorePointUndo",
        properties: {
          projectRef: "abcdefghijklmnopqrst",
          confirm: "abcdefghijklmnopqrst",
          name: "before-import",
        },
      },
    },
  },

  PitrRestore: {
    declares: {
      beforeTheMistake: {
        comment: "Everything written after that time is lost.",
        resource: "PitrRestore",
        properties: {
          projectRef: "abcdefghijklmnopqrst",
          confirm: "abcdefghijklmnopqrst",
          recoveryTime: "2027-01-31T18:00:00Z",
        },
      },
    },
  },

  ReadOnlyOverride: {
    config: { projectRef: "text" },
    declares: {
      writable: {
        comment: "The time of the incident: a later one lifts the mode again.",
        resource: "ReadOnlyOverride",
        properties: { projectRef: "${projectRef}", triggers: ["2027-01-31T18:00Z"] },
      },
    },
    outputs: { writableUntil: "${writable.activeUntil}" },
  },

  SqlScript: {
    config: { projectRef: "text" },
    declares: {
      seed: {
        resource: "SqlScript",
        properties: {
          projectRef: "${projectRef}",
          name: "seed",
          query:
            "create schema shop; create table shop.products (name text primary key); insert into shop.products values ('tea') returning name;",
          onDelete: "drop schema shop cascade;",
          triggers: ["2026-01"],
        },
      },
    },
    outputs: { seeded: "${seed.result}" },
  },

  getAdvisors: {
    config: { projectRef: "text" },
    declares: { found: { function: "getAdvisors", arguments: { projectRef: "${projectRef}" } } },
    outputs: { securityFindings: "${found.security}" },
  },

  getBackups: {
    config: { projectRef: "text" },
    declares: { found: { function: "getBackups", arguments: { projectRef: "${projectRef}" } } },
    outputs: { backups: "${found.backups}" },
  },

  getDatabaseOpenapi: {
    config: { projectRef: "text" },
    declares: { found: { function: "getDatabaseOpenapi", arguments: { projectRef: "${projectRef}" } } },
    outputs: { document: "${found.document}" },
  },

  getRestorePoints: {
    config: { projectRef: "text" },
    declares: { found: { function: "getRestorePoints", arguments: { projectRef: "${projectRef}" } } },
    outputs: { restorePoints: "${found.restorePoints}" },
  },

  getDisk: {
    config: { projectRef: "text" },
    declares: { found: { function: "getDisk", arguments: { projectRef: "${projectRef}" } } },
    outputs: { diskUse: "${found.use}" },
  },

  getJitAuthorization: {
    config: { projectRef: "text" },
    declares: {
      access: {
        function: "getJitAuthorization",
        arguments: { projectRef: "${projectRef}", role: "postgres", host: "192.0.2.7" },
      },
    },
    outputs: { expiresAt: "${access.expiresAt}" },
  },

  getJitUsers: {
    config: { projectRef: "text" },
    declares: { found: { function: "getJitUsers", arguments: { projectRef: "${projectRef}" } } },
    outputs: { users: "${found.users}" },
  },

  getLegacyPoolerConfig: {
    config: { projectRef: "text" },
    declares: { found: { function: "getLegacyPoolerConfig", arguments: { projectRef: "${projectRef}" } } },
    outputs: { poolMode: "${found.poolMode}" },
  },

  getMigrations: {
    config: { projectRef: "text" },
    declares: { found: { function: "getMigrations", arguments: { projectRef: "${projectRef}" } } },
    outputs: { applied: "${found.migrations}" },
  },

  getPoolerConfig: {
    config: { projectRef: "text" },
    declares: { found: { function: "getPoolerConfig", arguments: { projectRef: "${projectRef}" } } },
    outputs: { connectionString: "${found.connectionString}" },
  },

  getPostgresConfig: {
    config: { projectRef: "text" },
    declares: { found: { function: "getPostgresConfig", arguments: { projectRef: "${projectRef}" } } },
    outputs: { maxConnections: "${found.maxConnections}" },
  },

  getQueryResult: {
    config: { projectRef: "text" },
    declares: {
      found: {
        function: "getQueryResult",
        arguments: {
          projectRef: "${projectRef}",
          query: "select id, email from public.users where id > $1 order by id",
          parameters: [100],
          columns: { id: "integer" },
        },
      },
    },
    outputs: { users: "${found.rows}" },
  },

  getReadOnlyStatus: {
    config: { projectRef: "text" },
    declares: { found: { function: "getReadOnlyStatus", arguments: { projectRef: "${projectRef}" } } },
    outputs: { isReadOnly: "${found.enabled}" },
  },

  getSnippet: {
    declares: {
      found: { function: "getSnippet", arguments: { snippetId: "0f8fad5b-d9cb-469f-a165-70867728950e" } },
    },
    outputs: { sql: "${found.sql}" },
  },

  getSnippets: {
    config: { projectRef: "text" },
    declares: { found: { function: "getSnippets", arguments: { projectRef: "${projectRef}" } } },
    outputs: { snippets: "${found.snippets}" },
  },

  getSslEnforcement: {
    config: { projectRef: "text" },
    declares: { found: { function: "getSslEnforcement", arguments: { projectRef: "${projectRef}" } } },
    outputs: { requiresSsl: "${found.database}" },
  },

  getTypescriptTypes: {
    config: { projectRef: "text" },
    declares: {
      found: {
        function: "getTypescriptTypes",
        arguments: { projectRef: "${projectRef}", includedSchemas: ["public"] },
      },
    },
    outputs: { types: "${found.types}" },
  },
};
