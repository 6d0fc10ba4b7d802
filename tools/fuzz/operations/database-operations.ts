import type { AsyncOperationName } from "../../../emulator/service/rules/shared/handler";

/** The operations that reach a project's database, which takes time to start. */
export const databaseOperations: Readonly<Record<AsyncOperationName, true>> = {
  runQuery: true,
  runReadOnlyQuery: true,
  getTypescriptTypes: true,
  getDatabaseContext: true,
  getDatabaseOpenapi: true,
  listMigrations: true,
  listBuckets: true,
  applyMigration: true,
  upsertMigration: true,
  rollbackMigrations: true,
  getMigration: true,
  updateMigration: true,
  getPerformanceAdvisors: true,
  getSecurityAdvisors: true,
  getLogs: true,
  queryLogs: true,
  enableWebhooks: true,
  createLoginRole: true,
  deleteLoginRoles: true,
  diffBranch: true,
  mergeBranch: true,
  pushBranch: true,
  resetBranch: true,
};
