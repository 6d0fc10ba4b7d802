import { z } from "zod";
import { answersEmpty, json, operation } from "../operation";
import { projectRef, regionCode } from "../shared-fields";

export const setUpReadReplicaBody = z.object({ read_replica_region: regionCode });

export const removeReadReplicaBody = z.object({ database_identifier: z.string() });

/** `POST /v1/projects/{ref}/read-replicas/setup` */
export const setUpReadReplica = operation({
  method: "POST",
  path: "/v1/projects/{ref}/read-replicas/setup",
  params: z.object({ ref: projectRef }),
  body: json(setUpReadReplicaBody),
  success: { ...answersEmpty(201), measuredStatus: 204 },
  errors: [401, 403, 429, 500],
  permissions: [["infra_read_replicas_write"]],
  stability: ["beta"],
});

/** `POST /v1/projects/{ref}/read-replicas/remove` */
export const removeReadReplica = operation({
  method: "POST",
  path: "/v1/projects/{ref}/read-replicas/remove",
  params: z.object({ ref: projectRef }),
  body: json(removeReadReplicaBody),
  success: { ...answersEmpty(201), measuredStatus: 204 },
  errors: [401, 403, 429, 500],
  permissions: [["infra_read_replicas_write"]],
  stability: ["beta"],
});

export const readReplicasOperations = { setUpReadReplica, removeReadReplica };
