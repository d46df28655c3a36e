import { API_TOKEN_PREFIX, type Endpoint, errorBody } from '@cannery/contract';
import { z } from 'zod';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: unknown;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<
    string,
    unknown
  >;
  return rest;
}

function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Parameter[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, value]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: value,
  }));
}

/** A request that is sent again under the same key is carried out once. */
const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
};

/** What a module is taken from. */
const codeOrigin: Parameter = {
  name: 'Code-Origin',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 200, pattern: '^(dapp [^ ]+|registry [^ ]+ [1-9][0-9]*)$' },
};

/** The id of the last event that a reader has seen. */
const lastEventId: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 200 },
};

/** Leaves out what is long. */
const prefer: Parameter = {
  name: 'Prefer',
  in: 'header',
  required: false,
  schema: { type: 'string', enum: ['return=minimal'] },
};

/** Who may make the call: a session, or for a call with a scope an API token that has it. */
function securityOf({ signedIn, scope }: Endpoint): { security?: Record<string, string[]>[] } {
  if (!signedIn) return { security: [] };
  return scope === undefined ? {} : { security: [{ bearer: [] }, { apiToken: [scope] }] };
}

const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'The session of a signed-in user.' },
  apiToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: `${API_TOKEN_PREFIX}...`,
    description:
      'An API token of the Account page, for programs. It makes only the calls that name a scope, and only with that scope.',
  },
};

function contentType({ eventStream }: Endpoint): string {
  return eventStream ? 'text/event-stream' : 'application/json';
}

function requestBodyOf(endpoint: Endpoint): Record<string, unknown> {
  if (endpoint.upload !== undefined) {
    const schema = {
      type: 'object',
      properties: { [endpoint.upload]: { type: 'string', format: 'binary' } },
      required: [endpoint.upload],
    };
    return { requestBody: { required: true, content: { 'multipart/form-data': { schema } } } };
  }
  if (endpoint.body === undefined) return {};
  return {
    requestBody: {
      required: !endpoint.body.safeParse(undefined).success,
      content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } },
    },
  };
}

/** The OpenAPI 3.1 description of a set of endpoints. */
export function openApiOf(
  endpoints: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>,
  options: { title: string; version: string; server: string },
): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [noun, calls] of Object.entries(endpoints)) {
    for (const [verb, endpoint] of Object.entries(calls)) {
      const path = (paths[endpoint.path] ??= {});
      path[endpoint.method.toLowerCase()] = {
        operationId: `${noun}.${verb}`,
        tags: [noun],
        summary: endpoint.summary,
        ...securityOf(endpoint),
        parameters: [
          ...parametersOf(endpoint.params, 'path'),
          ...parametersOf(endpoint.query, 'query'),
          ...(endpoint.idempotent ? [idempotencyKey] : []),
          ...(endpoint.namesOrigin ? [codeOrigin] : []),
          ...(endpoint.eventStream ? [lastEventId] : []),
          ...(endpoint.minimal ? [prefer] : []),
        ],
        ...requestBodyOf(endpoint),
        responses: {
          200: {
            description: 'Success',
            content: { [contentType(endpoint)]: { schema: schemaOf(endpoint.response, 'output') } },
          },
          default: { $ref: '#/components/responses/Error' },
        },
      };
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: options.title, version: options.version },
    servers: [{ url: options.server }],
    security: [{ bearer: [] }],
    paths,
    components: {
      securitySchemes,
      responses: {
        Error: {
          description: 'The call was refused or failed',
          content: { 'application/json': { schema: schemaOf(errorBody, 'output') } },
        },
      },
    },
  };
}
