import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaResponse, ProviderHandshakeResponse } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { VERSION } from "../core/version.generated";

/** The service with the messages of its methods. */
export { ResourceProviderService };

export const nothing = (): Empty => new Empty();

/** References to resources and output values are taken apart by the engine. */
export const abilities = (): ProviderHandshakeResponse =>
  new ProviderHandshakeResponse().setAcceptSecrets(true).setSupportsAutonamingConfiguration(true);

export const version = (): PluginInfo => new PluginInfo().setVersion(VERSION);

export const packageSchema = (schema: string): GetSchemaResponse => new GetSchemaResponse().setSchema(schema);
