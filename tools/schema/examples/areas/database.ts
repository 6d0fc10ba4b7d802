import type { Examples } from "../example";

export const database: Examples = {
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
