import { LATEST_TIME_NANOS } from '@cannery/replica/clock';
import { badRequest } from '../../http/transport/request-error.ts';
import { type Feature, readFeatures, subnetsOf } from './features.ts';
import { type Fields, fieldsOf, natField, optionalField, textField } from './fields.ts';
import { type GatewayRequest, readGateway } from './gateway-request.ts';
import type { Json } from './json.ts';
import { readTopology, type Topology } from './topology.ts';

/** Time of a new instance where none is asked for: 2021-05-06T19:17:10Z, as PocketIC begins. */
const FIRST_TIME_NANOS = 1_620_328_630_000_000_000n;
/** With the cycles minting canister, whose first rate is from the second before: 2021-05-10T08:00:01Z, as PocketIC. */
const FIRST_TIME_WITH_RATE_NANOS = 1_620_633_601_000_000_000n;

/** What an instance is to be. */
export interface InstanceRequest {
  readonly topology: Topology;
  /** Nanoseconds since 1970. */
  readonly startNanos: bigint;
  /** Whether it goes on by itself from the start. */
  readonly isLive: boolean;
  /** Name of a folder of the program that keeps its state; it is deleted with the instance where there is none. */
  readonly folder: string | undefined;
  /** System canisters that it begins with. */
  readonly features: ReadonlySet<Feature>;
  /** A gateway to open with it. */
  readonly gateway: GatewayRequest | undefined;
}

/**
 * Fields that change nothing here: what they switch is always on, always off, or only about logs. All others that are
 * given are refused, so that nobody believes that they do something.
 */
const WITHOUT_EFFECT = new Set([
  'icp_config',
  'log_level',
  'bitcoind_addr',
  'dogecoind_addr',
  'incomplete_state',
  // What programs up to version 9 of PocketIC were told: calls that are not awaited for long, and the like.
  'nonmainnet_features',
]);
const READ = new Set([
  'subnet_config_set',
  'icp_features',
  'state_dir',
  'initial_time',
  'http_gateway_config',
]);

/** No folder but one directly below that of the program can be named. */
const FOLDER = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

/** Reads the body of `POST /instances`; throws `RequestError` 400. */
export function readInstanceRequest(body: Json): InstanceRequest {
  const fields = fieldsOf(body);
  for (const [name, value] of Object.entries(fields)) {
    // A switch that is off asks for nothing.
    if (value === null || value === undefined || value === false || READ.has(name)) continue;
    if (!WITHOUT_EFFECT.has(name)) throw badRequest(`${name.slice(0, 50)} is not available here.`);
  }
  const features = readFeatures(optionalField(fields, 'icp_features'));
  const gateway = optionalField(fields, 'http_gateway_config');
  const folder =
    optionalField(fields, 'state_dir') === undefined ? undefined : textField(fields, 'state_dir');
  if (folder !== undefined && !FOLDER.test(folder))
    throw badRequest(
      'state_dir must be a name of up to 64 letters, digits, - and _: of a folder below that of --state-dir.',
    );
  return {
    topology: readTopology(fields['subnet_config_set'], subnetsOf(features)),
    folder,
    features,
    gateway: gateway === undefined ? undefined : readGateway(fieldsOf(gateway, 'http_gateway_config')),
    ...timeOf(fields, features.has('cycles_minting') ? FIRST_TIME_WITH_RATE_NANOS : FIRST_TIME_NANOS),
  };
}

function timeOf(fields: Fields, first: bigint): Pick<InstanceRequest, 'startNanos' | 'isLive'> {
  const given = optionalField(fields, 'initial_time');
  if (given === undefined) return { startNanos: first, isLive: false };
  const time = fieldsOf(given, 'initial_time');
  const stamp = optionalField(time, 'Timestamp');
  if (stamp === undefined) return { startNanos: first, isLive: true };
  const startNanos = natField(fieldsOf(stamp, 'Timestamp'), 'nanos_since_epoch');
  if (startNanos < first || startNanos > LATEST_TIME_NANOS)
    throw badRequest('The initial time must not be before May 2021, nor after the year 2255.');
  return { startNanos, isLive: false };
}
