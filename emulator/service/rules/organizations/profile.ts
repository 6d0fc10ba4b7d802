import type { Operations } from "../../../../spec/table";
import { userIdOf, actingUser } from "../../access/caller";
import type { Handler } from "../shared/handler";
import { newMember } from "../../world/records/organization";

/** Of an application it is the profile of the user who approved it. */
const getProfile: Handler<Operations["getProfile"]> = ({ caller }) => {
  const user = actingUser(caller);
  return { auth_id: userIdOf(user), primary_email: newMember(user, "Owner").email ?? "", username: user };
};

export const profileHandlers = { getProfile };
