import type { IncomingMessage, ServerResponse } from 'node:http';
import { handleApi, isApiPath } from '../http/endpoints/api.ts';
import type { HttpReply } from '../http/endpoints/service.ts';
import { readBody } from '../http/transport/body.ts';
import { clientAddress } from '../http/transport/client-address.ts';
import { notFound, RequestError, tooLarge, unsupportedType } from '../http/transport/request-error.ts';
import { type Blobs, MOST_BLOB_BYTES } from './instance/blobs.ts';
import type { Instances } from './instance/instances.ts';
import { findMethod } from './instance/methods.ts';
import type { Started } from './instance/operations.ts';
import { checkCanisterSignature } from './instance/signatures.ts';
import { fieldsOf } from './wire/fields.ts';
import { readInstanceGateway } from './wire/gateway-request.ts';
import { type InstanceRequest, readInstanceRequest } from './wire/instance-request.ts';
import { type Json, parseJson } from './wire/json.ts';

/** What the program has. */
export interface Program {
  readonly instances: Instances;
  readonly blobs: Blobs;
}

/** An answer; texts are sent as they are, and so is what an instance answers agents. */
export type Answer =
  | { readonly status: number; readonly body: Json; readonly isText?: boolean }
  | { readonly reply: HttpReply };

/** A request, and the parts of its path that a pattern left open. */
interface Request {
  readonly program: Program;
  readonly parts: readonly string[];
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

interface Route {
  readonly method: string;
  readonly path: RegExp;
  answer(request: Request): Promise<Answer>;
}

const ok = (body: Json): Answer => ({ status: 200, body });
const created = (body: Json): Answer => ({ status: 201, body: { Created: body } });

async function jsonBody({ request, response }: Request): Promise<Json> {
  const text = (await readBody(request, response)).toString('utf8');
  return text === '' ? {} : parseJson(text);
}

/** Whether an upload is packed by gzip. Throws `RequestError` 415 for other ways of packing. */
function isPacked({ headers }: IncomingMessage): boolean {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'gzip' && encoding !== 'identity')
    throw unsupportedType('Blobs are packed by gzip or not at all.');
  return encoding === 'gzip';
}

/** An upload, which may be longer than other bodies. */
async function blobBody(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MOST_BLOB_BYTES) throw tooLarge(`A blob has ${MOST_BLOB_BYTES} bytes at most.`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks, length));
}

/** Creations and gateways that cannot be had are answered with an `Error`, as PocketIC does. */
async function orError(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const status = error instanceof RequestError ? error.status : 500;
    return { status, body: { Error: { message: error.message } } };
  }
}

const started = ({ label, id }: Started): Answer => ({
  status: 202,
  body: { state_label: label, op_id: id },
});

const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/status$/, answer: async () => ok(null) },
  {
    method: 'GET',
    path: /^\/instances$/,
    answer: async ({ program: { instances } }) =>
      ok(instances.list.map((isThere) => (isThere ? 'Available' : 'Deleted'))),
  },
  {
    method: 'POST',
    path: /^\/instances$/,
    answer: (request) =>
      orError(async () => {
        const { instances } = request.program;
        const wanted = readInstanceRequest(await jsonBody(request));
        const id = await instances.create(wanted);
        return created({
          instance_id: id,
          topology: instances.find(id).instance.describe(),
          http_gateway_info: await gatewayWith(instances, id, wanted),
        });
      }),
  },
  {
    method: 'DELETE',
    path: /^\/instances\/(\d{1,9})$/,
    async answer({ program, parts: [id = ''] }) {
      await program.instances.delete(Number(id));
      return ok({});
    },
  },
  {
    method: 'POST',
    path: /^\/blobstore$/,
    answer: async ({ program, request }) => ({
      status: 200,
      body: program.blobs.add(await blobBody(request), isPacked(request)),
      isText: true,
    }),
  },
  {
    method: 'GET',
    path: /^\/read_graph\/([0-9a-f-]{36})\/([0-9a-f-]{36})$/,
    async answer({ program, parts: [label = '', id = ''] }) {
      for (const operations of program.instances.operations()) {
        const found = await operations.find({ label, id });
        if (found) return found.result === undefined ? started({ label, id }) : ok(found.result);
      }
      throw notFound('No such operation is known, or not any more.');
    },
  },
  {
    method: 'DELETE',
    path: /^\/prune_graph\/([0-9a-f-]{36})\/([0-9a-f-]{36})$/,
    async answer({ program, parts: [label = '', id = ''] }) {
      for (const operations of program.instances.operations())
        if (operations.drop({ label, id })) return ok(null);
      throw notFound('No such operation is known, or not any more.');
    },
  },
  {
    method: 'POST',
    path: /^\/verify_signature$/,
    async answer(request) {
      const { instances } = request.program;
      const address = clientAddress(request.request.socket.remoteAddress);
      const refusal = await checkCanisterSignature(instances, fieldsOf(await jsonBody(request)), address);
      return ok(refusal === undefined ? { Ok: null } : { Err: refusal });
    },
  },
  {
    method: 'GET',
    path: /^\/http_gateway$/,
    answer: async ({ program: { instances } }) =>
      ok(
        instances.gateways.map(({ id, port, instanceId }) => ({
          instance_id: id,
          port,
          forward_to: { PocketIcInstance: instanceId },
          domains: null,
          https_config: null,
        })),
      ),
  },
  {
    method: 'POST',
    path: /^\/http_gateway$/,
    answer: (request) =>
      orError(async () => {
        const { instanceId, port } = readInstanceGateway(fieldsOf(await jsonBody(request)));
        const gateway = await request.program.instances.openGateway(instanceId, port);
        return created({ instance_id: gateway.id, port: gateway.port });
      }),
  },
  {
    method: 'POST',
    path: /^\/http_gateway\/(\d{1,9})\/stop$/,
    async answer({ program, parts: [id = ''] }) {
      await program.instances.closeGateway(Number(id));
      return ok(null);
    },
  },
];

/** Opens the gateway that was asked for with an instance; where it cannot be had, there is no instance either. */
async function gatewayWith(instances: Instances, id: number, { gateway }: InstanceRequest): Promise<Json> {
  if (!gateway) return null;
  try {
    const opened = await instances.openGateway(id, gateway.port);
    return { instance_id: opened.id, port: opened.port };
  } catch (error) {
    await instances.delete(id);
    throw error;
  }
}

/** A path of an instance, such as `/instances/3/update/tick`. */
const OF_INSTANCE = /^\/instances\/(\d{1,9})(\/.{1,100})$/;

/** The topology is a method, since an instance shows several subnets where its API has one. */
const isAgentPath = (path: string): boolean => path.startsWith('/api/') && isApiPath(path);

/** Asks an instance, where it has what the path names. */
async function askInstance(program: Program, request: Request, method: string): Promise<Answer | undefined> {
  const { parts } = request;
  const found = findMethod(`${method} ${parts[1] ?? ''}`);
  if (!found) return undefined;
  const body = method === 'GET' ? {} : await jsonBody(request);
  // The client for Rust sends an empty text where there is nothing to say.
  const fields = body === '' ? {} : fieldsOf(body);
  const { instance, operations } = program.instances.find(Number(parts[0]));
  const result = await operations.run(() => found.run(instance, fields, program.blobs), {
    isBeside: found.isBeside?.(instance) === true,
    isWaitedFor: found.mayBeNull === true,
  });
  return 'later' in result ? started(result.later) : ok(result.now);
}

/** Answers what an agent sends to an instance, as its gateway would. */
async function answerAgent(
  { instances }: Program,
  { parts: [id = '', path = ''], request, response }: Request,
  method: string,
): Promise<Answer> {
  const service = await instances.find(Number(id)).instance.service();
  const reply = await handleApi(service, {
    method,
    path,
    contentType: request.headers['content-type'],
    from: { address: clientAddress(request.socket.remoteAddress), requestId: undefined },
    body: () => readBody(request, response),
  });
  return { reply };
}

/** Answers a request; throws `RequestError`, and what the engine refuses. */
export async function answerRequest(
  program: Program,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> {
  const { method = '', url = '/' } = request;
  // Clients write some paths with a slash at the end.
  const path = (url.split('?', 1)[0] ?? '/').replace(/(?<=.)\/$/, '');
  for (const route of ROUTES) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return route.answer({ program, parts: match.slice(1), request, response });
  }
  const parts = OF_INSTANCE.exec(path)?.slice(1);
  if (parts && isAgentPath(parts[1] ?? ''))
    return answerAgent(program, { program, parts, request, response }, method);
  const answer = parts && (await askInstance(program, { program, parts, request, response }, method));
  if (!answer) throw notFound(`There is no ${method} ${path.slice(0, 200)} here.`);
  return answer;
}
