import type { OperationAnswer } from "../../../spec/operation";
import type { Operations } from "../../../spec/table";
import { operator, userIdOf, userNameOf, type CallSource } from "../../access/caller";
import { DEFAULT_USER } from "../../access/tokens";
import type { MemberRecord } from "../records/organization";

/** The user who acts: an operator stands for the first one. */
export function actingUser(caller: CallSource): string {
  return caller.identity === operator.identity ? DEFAULT_USER : userNameOf(caller);
}

/** Whether the caller's token reaches an organization: an application may be approved for one only. */
export function reaches({ organizationSlug }: CallSource, slug: string): boolean {
  return organizationSlug === undefined || organizationSlug === slug;
}

export function viewMember(member: MemberRecord): OperationAnswer<Operations["listMembers"]>[number] {
  return {
    user_id: userIdOf(member.user),
    user_name: member.name,
    ...(member.email !== null && { email: member.email }),
    role_name: member.role,
    mfa_enabled: member.mfaEnabled,
  };
}
