import { badRequest } from '../../http/transport/request-error.ts';
import { type Fields, fieldsOf, natField, optionalField } from './fields.ts';

/** Where a gateway is to listen: on loopback, over plain HTTP. */
export interface GatewayRequest {
  /** 0 for a free one. */
  readonly port: number;
}

/** A gateway for an instance that runs already. */
export interface InstanceGatewayRequest extends GatewayRequest {
  readonly instanceId: number;
}

const MOST_PORT = 65_535n;

/** Reads what a gateway is to be that comes with an instance. Throws `RequestError` 400 for what is not here. */
export function readGateway(fields: Fields): GatewayRequest {
  for (const name of ['https_config', 'domains', 'ip_addr']) {
    const value = optionalField(fields, name);
    const isUsual = value === undefined || (name === 'ip_addr' && value === '127.0.0.1');
    if (!isUsual) throw badRequest(`${name} is not available here: gateways are on loopback, over HTTP.`);
  }
  const port = optionalField(fields, 'port') === undefined ? 0n : natField(fields, 'port');
  if (port > MOST_PORT) throw badRequest(`port must be a number up to ${MOST_PORT}.`);
  return { port: Number(port) };
}

/** Reads the body of `POST /http_gateway`. Throws `RequestError` 400 for what is not here. */
export function readInstanceGateway(fields: Fields): InstanceGatewayRequest {
  const gateway = readGateway(fields);
  const target = fieldsOf(optionalField(fields, 'forward_to'), 'forward_to');
  if (optionalField(target, 'PocketIcInstance') === undefined)
    throw badRequest('A gateway leads to an instance of this program only (PocketIcInstance).');
  return { ...gateway, instanceId: Number(natField(target, 'PocketIcInstance')) };
}
