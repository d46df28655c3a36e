import { LATEST_TIME_NANOS } from '@cannery/replica/clock';
import { badRequest } from '../../http/transport/request-error.ts';
import { type Fields, fieldsOf, natField, optionalField, textField } from './fields.ts';
import type { Json } from './json.ts';
import { readTopology, type Topology } from './topology.ts';

/** Time of a new instance where none is asked for: 2021-05-06T19:17:10Z, as PocketIC begins. */
const FIRST_TIME_NANOS = 1_620_328_630_000_000_000n;

/** What an instance is to be. */
export interface InstanceRequest {
  readonly topology: Topology;
  /** Nanoseconds since 1970. */
  readonly startNanos: bigint;
  /** Whether it goes on by itself from the start. */
  readonly isLive: boolean;
  /** Name of a folder of the program that keeps its state; it is deleted with the instance where there is none. */
  readonly folder: string | undefined;
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
]);
const READ = new Set(['subnet_config_set', 'icp_features', 'state_dir', 'initial_time']);

/** Canisters of the system that an instance can begin with, by their names in `icp_features`; none yet. */
const AVAILABLE_FEATURES: ReadonlySet<string> = new Set();

/** No folder but one directly below that of the program can be named. */
const FOLDER = /^[a-z0-9][a-z0-9_-]{0,63}$/i;

/** Reads the body of `POST /instances`; throws `RequestError` 400. */
export function readInstanceRequest(body: Json): InstanceRequest {
  const fields = fieldsOf(body);
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || READ.has(name)) continue;
    if (!WITHOUT_EFFECT.has(name)) throw badRequest(`${name.slice(0, 50)} is not available here.`);
  }
  refuseFeatures(fields);
  const folder =
    optionalField(fields, 'state_dir') === undefined ? undefined : textField(fields, 'state_dir');
  if (folder !== undefined && !FOLDER.test(folder))
    throw badRequest(
      'state_dir must be a name of up to 64 letters, digits, - and _: of a folder below that of --state-dir.',
    );
  return { topology: readTopology(fields['subnet_config_set']), folder, ...timeOf(fields) };
}

function refuseFeatures(fields: Fields): void {
  const wanted = Object.entries(fieldsOf(optionalField(fields, 'icp_features') ?? {}, 'icp_features'));
  const missing = wanted
    .filter(([name, value]) => value !== null && value !== undefined && !AVAILABLE_FEATURES.has(name))
    .map(([name]) => name.slice(0, 50));
  if (missing.length > 0)
    throw badRequest(`These icp_features are not available here: ${missing.join(', ')}.`);
}

function timeOf(fields: Fields): Pick<InstanceRequest, 'startNanos' | 'isLive'> {
  const given = optionalField(fields, 'initial_time');
  if (given === undefined) return { startNanos: FIRST_TIME_NANOS, isLive: false };
  const time = fieldsOf(given, 'initial_time');
  const stamp = optionalField(time, 'Timestamp');
  if (stamp === undefined) return { startNanos: FIRST_TIME_NANOS, isLive: true };
  const startNanos = natField(fieldsOf(stamp, 'Timestamp'), 'nanos_since_epoch');
  if (startNanos < FIRST_TIME_NANOS || startNanos > LATEST_TIME_NANOS)
    throw badRequest('The initial time must not be before May 2021, nor after the year 2255.');
  return { startNanos, isLive: false };
}
