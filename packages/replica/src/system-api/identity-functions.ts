import { replicaErrors } from '@cannery/ic/errors';
import { MAX_CERTIFIED_DATA_BYTES } from '@cannery/ic/limits';
import { includesId, sameId } from '../state/canister-id.ts';
import { blobFunctions, readPrincipal } from './blob.ts';
import { ENTRY_POINT_NAMES, isReplicated } from './entry-point.ts';
import { type Invocation, type SystemFunction, systemFunction } from './system-function.ts';

/** The canister asked for its data certificate and the one at hand does not certify its current data. */
export class StaleCertificate extends Error {
  override readonly name = 'StaleCertificate';
}

const STATUS_CODES = { running: 1, stopping: 2, stopped: 3 } as const;
/** Nodes of this network: the one process that runs it. */
const NODE_COUNT = 1;

function dataCertificate({ context }: Invocation): Uint8Array {
  if (!context.certificate.allowed) {
    throw replicaErrors.wrongMode(context.canister.id, 'data_certificate', ENTRY_POINT_NAMES[context.entry]);
  }
  const { value } = context.certificate;
  if (!value || !sameId(value.certifiedData, context.canister.certifiedData)) throw new StaleCertificate();
  return value.certificate;
}

/** Who and where the canister is, its controllers, and its certified data. */
export const identityFunctions: readonly SystemFunction[] = [
  ...blobFunctions('canister_self', 'id', '*', (api) => api.context.canister.id),
  systemFunction(
    'canister_status',
    { params: [], result: 'i32', from: '*', charge: 500 },
    ({ context }) => STATUS_CODES[context.canister.status],
  ),
  systemFunction(
    'canister_version',
    { params: [], result: 'i64', from: '*', charge: 500 },
    ({ context }) => context.version,
  ),
  ...blobFunctions('subnet_self', 'id', '*', (api) => api.context.subnet.subnetId),
  systemFunction(
    'subnet_self_node_count',
    { params: [], result: 'i32', from: '*', charge: 500 },
    () => NODE_COUNT,
  ),
  ...blobFunctions('root_key', 'bytes', 'I G U RQ Ry Rt C T', (api) => api.context.subnet.rootKeyDer),
  systemFunction(
    'certified_data_set',
    { params: ['ptr', 'ptr'], from: 'I G U Ry Rt T', charge: 500, sizes: [1] },
    (api, pointer, size) => {
      if (size > MAX_CERTIFIED_DATA_BYTES) {
        throw replicaErrors.userViolation(
          api.context.canister.id,
          `ic0_certified_data_set failed because the passed data must be no larger than ${MAX_CERTIFIED_DATA_BYTES} bytes. Found ${size} bytes.`,
          'Try certifying just the hash of your data instead of the full contents.',
          'certified_data_set-payload-too-large',
        );
      }
      api.context.certifiedData = api.read(pointer, size);
    },
  ),
  systemFunction(
    'data_certificate_present',
    { params: [], result: 'i32', from: '*', charge: 500 },
    ({ context }) => (context.certificate.allowed ? 1 : 0),
  ),
  ...blobFunctions('data_certificate', 'certificate', 'NRQ CQ', dataCertificate),
  systemFunction(
    'is_controller',
    { params: ['ptr', 'ptr'], result: 'i32', from: '* s', charge: 1_000, sizes: [1] },
    (api, pointer, size) => {
      const principal = readPrincipal(api, 'ic0.is_controller', pointer, size);
      return includesId(api.context.canister.controllers, principal) ? 1 : 0;
    },
  ),
  systemFunction(
    'in_replicated_execution',
    { params: [], result: 'i32', from: '* s', charge: 500 },
    ({ context }) => (isReplicated(context.entry) ? 1 : 0),
  ),
];
