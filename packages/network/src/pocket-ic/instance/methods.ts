import type { Outcome } from '@cannery/ic/state-leaves';
import type { MockedResponse, Outcall } from '@cannery/replica/state/outcall';
import { badRequest, forbidden } from '../../http/transport/request-error.ts';
import { errorCodeName, rejectCodeName } from '../wire/error-codes.ts';
import {
  base64,
  bytesField,
  type Fields,
  fieldsOf,
  listField,
  natField,
  optionalField,
  principalField,
  textField,
} from '../wire/fields.ts';
import type { Json } from '../wire/json.ts';
import type { Blobs } from './blobs.ts';
import type { Call, Instance } from './instance.ts';

/** What can be asked of an instance. */
interface Method {
  /** The method of HTTP, and the path below `/instances/<number>`. */
  readonly route: `${'GET' | 'POST'} ${string}`;
  /** Whether it waits for what others may bring about. */
  readonly isBeside?: (instance: Instance) => boolean;
  /** Whether its answer may be null, which no client takes for the result of what it comes back for: it waits. */
  readonly mayBeNull?: true;
  run(instance: Instance, fields: Fields, blobs: Blobs): Promise<Json>;
}

/** Reads the place of a call that makes a canister. */
function placeOf(fields: Fields): Call['place'] {
  const place = optionalField(fields, 'effective_principal') ?? 'None';
  if (place === 'None') return undefined;
  const given = fieldsOf(place, 'effective_principal');
  if (optionalField(given, 'SubnetId') !== undefined) return { subnet: principalField(given, 'SubnetId') };
  return { canister: principalField(given, 'CanisterId') };
}

function callOf(fields: Fields): Call {
  return {
    sender: principalField(fields, 'sender'),
    canisterId: principalField(fields, 'canister_id'),
    method: textField(fields, 'method'),
    arg: bytesField(fields, 'payload'),
    place: placeOf(fields),
  };
}

/** Who asks for the status of a call: PicJS sends the principal itself, the client for Rust an object with it. */
function askingCaller(fields: Fields): Uint8Array | undefined {
  const given = optionalField(fields, 'raw_caller');
  if (given === undefined) return undefined;
  if (typeof given === 'string') return principalField(fields, 'raw_caller');
  return principalField(fieldsOf(given, 'raw_caller'), 'principal_id');
}

/** What a call came to; certified where it was an update. */
function outcomeAnswer(outcome: Outcome, certified: boolean): Json {
  if (outcome.status === 'replied') return { Ok: base64(outcome.reply) };
  const { rejectCode, message, errorCode } = outcome;
  return {
    Err: {
      reject_code: rejectCodeName(rejectCode),
      reject_message: message,
      error_code: errorCodeName(errorCode, rejectCode),
      certified,
    },
  };
}

function outcallAnswer(outcall: Outcall, subnet: Uint8Array): Json {
  const { id, url, method, headers, body, maxResponseBytes } = outcall;
  return {
    subnet_id: { subnet_id: base64(subnet) },
    request_id: id,
    http_method: method,
    url,
    headers: headers.map(({ name, value }) => ({ name, value })),
    body: base64(body),
    max_response_bytes: maxResponseBytes,
  };
}

/** A response as a test makes it up. */
function responseOf(value: Json | undefined): MockedResponse {
  const given = fieldsOf(value, 'response');
  const reject = optionalField(given, 'CanisterHttpReject');
  if (reject !== undefined) {
    const fields = fieldsOf(reject, 'CanisterHttpReject');
    return { rejectCode: Number(natField(fields, 'reject_code')), message: textField(fields, 'message') };
  }
  const reply = fieldsOf(optionalField(given, 'CanisterHttpReply'), 'CanisterHttpReply');
  return {
    status: natField(reply, 'status'),
    headers: listField(reply, 'headers').map((each) => {
      const header = fieldsOf(each, 'A header');
      return { name: textField(header, 'name'), value: textField(header, 'value') };
    }),
    body: bytesField(reply, 'body'),
  };
}

/** As the replica says when its nodes got different responses. */
const NO_CONSENSUS: MockedResponse = {
  rejectCode: 2,
  message: 'No consensus could be reached. Replicas had different responses.',
};

/** What the canister gets: the response, if those of all other nodes are the same. */
function agreedResponse(fields: Fields, nodes: number): MockedResponse {
  const others = listField(fields, 'additional_responses');
  if (others.length > 0 && others.length !== nodes - 1)
    throw badRequest(`additional_responses must be empty, or as many as the other nodes: ${nodes - 1}.`);
  const response = responseOf(optionalField(fields, 'response'));
  const text = shown(response);
  return others.every((each) => shown(responseOf(each)) === text) ? response : NO_CONSENSUS;
}

const shown = (response: MockedResponse): string =>
  JSON.stringify(response, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));

const canisterOf = (fields: Fields): Uint8Array => principalField(fields, 'canister_id');

/** The methods of PocketIC's interface that its clients for JavaScript, Rust and Python call. */
const METHODS: readonly Method[] = [
  {
    route: 'GET /_/topology',
    run: async (instance) => instance.describe(),
  },
  {
    route: 'GET /read/topology',
    run: async (instance) => instance.describe(),
  },
  {
    route: 'GET /read/get_time',
    run: async ({ engine }) => ({ nanos_since_epoch: await engine.control('time') }),
  },
  {
    route: 'POST /read/get_cycles',
    async run({ engine }, fields) {
      const canister = await engine.control('canister', canisterOf(fields));
      if (!canister) throw badRequest('CanisterNotFound');
      return { cycles: canister.cycles };
    },
  },
  {
    route: 'POST /read/get_controllers',
    async run({ engine }, fields) {
      const canister = await engine.control('canister', canisterOf(fields));
      if (!canister) throw badRequest('CanisterNotFound');
      return canister.controllers.map((id) => ({ principal_id: base64(id) }));
    },
  },
  {
    route: 'POST /read/get_subnet',
    mayBeNull: true,
    async run(instance, fields) {
      const subnet = await instance.subnetOf(canisterOf(fields));
      return subnet ? { subnet_id: base64(subnet) } : null;
    },
  },
  {
    route: 'POST /read/pub_key',
    async run({ subnets, keys }, fields) {
      const wanted = principalField(fields, 'subnet_id');
      if (!subnets.some((id) => Buffer.compare(id, wanted) === 0)) throw badRequest('SubnetNotFound');
      return [...keys.rootKey];
    },
  },
  {
    route: 'POST /read/query',
    run: async (instance, fields) => outcomeAnswer(await instance.query(callOf(fields)), false),
  },
  {
    route: 'POST /read/ingress_status',
    mayBeNull: true,
    async run(instance, fields) {
      const message = fieldsOf(optionalField(fields, 'raw_message_id'), 'raw_message_id');
      const { leaf, outcome } = await instance.outcome(bytesField(message, 'message_id'));
      const caller = askingCaller(fields);
      if (caller && Buffer.compare(caller, leaf.sender) !== 0)
        throw forbidden('Only the sender of a call may ask for its status.');
      return outcome ? outcomeAnswer(outcome, true) : null;
    },
  },
  {
    route: 'POST /read/get_stable_memory',
    run: async ({ engine }, fields) => ({
      blob: base64(await engine.control('stableMemory', canisterOf(fields))),
    }),
  },
  {
    route: 'GET /read/get_canister_http',
    async run(instance) {
      const waiting = await instance.engine.control('outcalls');
      return Promise.all(
        waiting.map(async (outcall) =>
          outcallAnswer(outcall, (await instance.subnetOf(outcall.canister)) ?? instance.keys.subnetId),
        ),
      );
    },
  },
  {
    route: 'POST /update/tick',
    mayBeNull: true,
    async run({ engine }, fields) {
      if (optionalField(fields, 'blockmakers') !== undefined)
        throw badRequest('blockmakers is not available here: an instance has no nodes that make blocks.');
      await engine.control('round');
      return null;
    },
  },
  {
    route: 'POST /update/set_time',
    mayBeNull: true,
    async run({ engine }, fields) {
      await engine.control('setTime', natField(fields, 'nanos_since_epoch'), false);
      return null;
    },
  },
  {
    route: 'POST /update/set_certified_time',
    mayBeNull: true,
    async run({ engine }, fields) {
      await engine.control('setTime', natField(fields, 'nanos_since_epoch'), true);
      return null;
    },
  },
  {
    route: 'POST /update/add_cycles',
    run: async ({ engine }, fields) => ({
      cycles: await engine.control('addCycles', canisterOf(fields), natField(fields, 'amount')),
    }),
  },
  {
    route: 'POST /update/set_stable_memory',
    mayBeNull: true,
    async run({ engine }, fields, blobs) {
      const blob = await blobs.read(bytesField(fields, 'blob_id'));
      if (!blob) throw badRequest('BlobNotFound: there is no blob with this ID, or not any more.');
      await engine.control('setStableMemory', canisterOf(fields), blob);
      return null;
    },
  },
  {
    route: 'POST /update/submit_ingress_message',
    async run(instance, fields) {
      const { requestId, admission } = await instance.submit(callOf(fields));
      if (!admission.accepted) return outcomeAnswer({ status: 'rejected', ...admission }, false);
      const place = optionalField(fields, 'effective_principal') ?? 'None';
      return { Ok: { effective_principal: place, message_id: base64(requestId) } };
    },
  },
  {
    route: 'POST /update/await_ingress_message',
    isBeside: ({ isLive }) => isLive,
    run: async (instance, fields) =>
      outcomeAnswer(await instance.awaitOutcome(bytesField(fields, 'message_id')), true),
  },
  {
    route: 'POST /update/mock_canister_http',
    mayBeNull: true,
    async run(instance, fields) {
      const { engine, subnets, topology } = instance;
      const wanted = principalField(fieldsOf(optionalField(fields, 'subnet_id'), 'subnet_id'), 'subnet_id');
      const subnet = topology.subnets[subnets.findIndex((id) => Buffer.compare(id, wanted) === 0)];
      if (!subnet) throw badRequest('SubnetNotFound');
      const response = agreedResponse(fields, subnet.size);
      await engine.control('answerOutcall', Number(natField(fields, 'request_id')), response);
      return null;
    },
  },
  {
    route: 'GET /auto_progress',
    run: async ({ isLive }) => isLive,
  },
  {
    route: 'POST /auto_progress',
    mayBeNull: true,
    async run(instance) {
      await instance.setLive(true);
      return null;
    },
  },
  {
    route: 'POST /stop_progress',
    mayBeNull: true,
    async run(instance) {
      await instance.setLive(false);
      return null;
    },
  },
];

const BY_ROUTE: ReadonlyMap<string, Method> = new Map(METHODS.map((method) => [method.route, method]));

/** The method with this route, such as `POST /update/tick`. */
export function findMethod(route: string): Method | undefined {
  return BY_ROUTE.get(route);
}
