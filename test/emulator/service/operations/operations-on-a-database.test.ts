import { operations, type OperationName } from "../../../../spec/table";
import { databaseOperations } from "../../../../tools/fuzz/operations/database-operations";
import { describeOperations } from "./describe-operations";

// The keys of the table are its operation names, which `Object.keys` widens to string.
const names = (Object.keys(operations) as OperationName[]).filter((name) => name in databaseOperations);

// A project of its own for each would start a database for each.
describeOperations(names, { sharing: true });
