import * as proto from "@pulumi/pulumi/proto/provider_pb";
import { resourceByType } from "../by-name";
import type { Importable } from "../define/list";
import { hasUnknown } from "../define/unknown";
import { listResources } from "../lifecycle/operations/list";
import { unmarshal } from "./marshal";
import type { PluginProcess } from "./plugin-process";
import { nameInToken } from "../define/token";

/** A page of the objects of a type, and where the next one begins: after the last id of this one. */
export async function list(
  plugin: PluginProcess,
  request: proto.ListRequest,
): Promise<readonly proto.ListResponse[]> {
  const resource = resourceByType(nameInToken(request.getToken()));
  const { values } = unmarshal(request.getQuery());
  if (hasUnknown(values)) return [new proto.ListResponse().setComputed(new proto.ListResponse.Computed())];
  const lines = plugin.open("");
  const all = await listResources(plugin.runtime(lines), resource, values).finally(() => lines.end());
  const [limit, pageSize, after] = [
    request.getLimit(),
    request.getPageSize(),
    request.getContinuationToken(),
  ];
  const left = (limit > 0 ? all.slice(0, limit) : all).filter(({ id }) => id > after);
  const page = pageSize > 0 ? left.slice(0, pageSize) : left;
  const last = page.at(-1);
  const isCut = last !== undefined && page.length < left.length;
  return [...page.map(result), ...(isCut ? [continuation(last.id)] : [])];
}

function result({ id, name }: Importable): proto.ListResponse {
  return new proto.ListResponse().setResult(new proto.ListResponse.Result().setId(id).setName(name));
}

function continuation(token: string): proto.ListResponse {
  const next = new proto.ListResponse.Continuation().setContinuationToken(token);
  return new proto.ListResponse().setContinuation(next);
}
