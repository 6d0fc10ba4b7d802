import type { OperationAnswer } from "../../../../spec/operation";
import type { Operations } from "../../../../spec/table";
import { userIdOf } from "../../access/caller";
import type { MemberRecord } from "../../world/records/organization";

export function viewMember(member: MemberRecord): OperationAnswer<Operations["listMembers"]>[number] {
  return {
    user_id: userIdOf(member.user),
    user_name: member.name,
    ...(member.email !== null && { email: member.email }),
    role_name: member.role,
    mfa_enabled: member.mfaEnabled,
  };
}
