import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody } from '../http/transport/body.ts';
import { badRequest, notFound, RequestError, tooLarge } from '../http/transport/request-error.ts';
import { type Blobs, MOST_BLOB_BYTES } from './instance/blobs.ts';
import type { Instances } from './instance/instances.ts';
import { findMethod } from './instance/methods.ts';
import type { Started } from './instance/operations.ts';
import { type Fields, fieldsOf, natField, optionalField } from './wire/fields.ts';
import { readInstanceRequest } from './wire/instance-request.ts';
import { type Json, parseJson } from './wire/json.ts';

/** What the program has. */
export interface Program {
  readonly instances: Instances;
  readonly blobs: Blobs;
}

/** An answer; texts are sent as they are. */
export interface Answer {
  readonly status: number;
  readonly body: Json;
  readonly isText?: boolean;
}

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
        const id = await instances.create(readInstanceRequest(await jsonBody(request)));
        return created({ instance_id: id, topology: instances.find(id).instance.describe() });
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
      ...ok(program.blobs.add(await blobBody(request))),
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
    method: 'GET',
    path: /^\/http_gateway$/,
    answer: async ({ program: { instances } }) =>
      ok(
        instances.gateways.map(({ id, port, instanceId }) => ({
          instance_id: id,
          port,
          forward_to: { PocketIcInstance: instanceId },
        })),
      ),
  },
  {
    method: 'POST',
    path: /^\/http_gateway$/,
    answer: (request) =>
      orError(async () => {
        const { instanceId, port } = gatewayOf(fieldsOf(await jsonBody(request)));
        const gateway = await request.program.instances.openGateway(instanceId, port);
        return created({ instance_id: gateway.id, port: gateway.port });
      }),
  },
  {
    method: 'POST',
    path: /^\/http_gateway\/(\d{1,9})\/stop$/,
    async answer({ program, parts: [id = ''] }) {
      await program.instances.closeGateway(Number(id));
      return ok({});
    },
  },
];

/** Reads what a gateway is to be: over plain HTTP, on loopback, for an instance of this program. */
function gatewayOf(fields: Fields): { readonly instanceId: number; readonly port: number } {
  for (const name of ['https_config', 'domains', 'ip_addr']) {
    const value = optionalField(fields, name);
    const isUsual = value === undefined || (name === 'ip_addr' && value === '127.0.0.1');
    if (!isUsual) throw badRequest(`${name} is not available here: gateways are on loopback, over HTTP.`);
  }
  const target = fieldsOf(optionalField(fields, 'forward_to'), 'forward_to');
  if (optionalField(target, 'PocketIcInstance') === undefined)
    throw badRequest('A gateway leads to an instance of this program only (PocketIcInstance).');
  const port = optionalField(fields, 'port') === undefined ? 0n : natField(fields, 'port');
  if (port > 65_535n) throw badRequest('port must be a number up to 65535.');
  return { instanceId: Number(natField(target, 'PocketIcInstance')), port: Number(port) };
}

/** A path of an instance, such as `/instances/3/update/tick`. */
const OF_INSTANCE = /^\/instances\/(\d{1,9})(\/.{1,100})$/;

/** Asks an instance, where it has what the path names. */
async function askInstance(program: Program, request: Request, method: string): Promise<Answer | undefined> {
  const { parts } = request;
  const found = findMethod(`${method} ${parts[1] ?? ''}`);
  if (!found) return undefined;
  const fields = method === 'GET' ? {} : fieldsOf(await jsonBody(request));
  const { instance, operations } = program.instances.find(Number(parts[0]));
  const result = await operations.run(
    () => found.run(instance, fields, program.blobs),
    found.isBeside?.(instance) === true,
  );
  return 'later' in result ? started(result.later) : ok(result.now);
}

/** Answers a request; throws `RequestError`, and what the engine refuses. */
export async function answerRequest(
  program: Program,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer> {
  const { method = '', url = '/' } = request;
  const path = url.split('?', 1)[0] ?? '/';
  for (const route of ROUTES) {
    const match = route.method === method ? route.path.exec(path) : null;
    if (match) return route.answer({ program, parts: match.slice(1), request, response });
  }
  const parts = OF_INSTANCE.exec(path)?.slice(1);
  const answer = parts && (await askInstance(program, { program, parts, request, response }, method));
  if (!answer) throw notFound(`There is no ${method} ${path.slice(0, 200)} here.`);
  return answer;
}
