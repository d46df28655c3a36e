import { contractCalls, type Slot, slotsOf } from '../test/authorisation/filled-calls.ts';
import type { Schema } from './schema-values.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface DescribedOperation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly 200: { readonly content: Content } };
}

/** What of an OpenAPI document is read here. */
export interface OpenApiDocument {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: { readonly responses: { readonly Error: { readonly content: Content } } };
}

/** A call as its OpenAPI document describes it. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` marks, below the address of the API. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Schema of the JSON body. */
  readonly body: Schema | undefined;
  /** Name of the file field of an upload. */
  readonly upload: string | undefined;
  readonly answerType: string;
  readonly answer: Schema;
  /** What the places of the call name, and values that the service can do something with. */
  readonly slots: readonly Slot[];
  /** How often the call is made, beside one of weight 1. */
  readonly weight: number;
}

/**
 * Calls that start builds, each of which takes a second or more of the processors, and calls that end the session of all that follow
 * until there is another: a run is to be of requests. The others are made as often as any.
 */
const RARE: ReadonlySet<string> = new Set([
  'deploy.trigger',
  'deploy.rollback',
  'deploy.publish',
  'deploy.redeploy',
  'deploy.undo',
  'session.signOut',
  'session.end',
  'session.endAll',
]);
const RARE_WEIGHT = 0.2;

/** @throws Error for a document that is not of the contract that this program knows */
export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const name = `${method.toUpperCase()} ${path}`;
      const endpoint = contractCalls.find(([known]) => known === name)?.[1];
      if (endpoint === undefined)
        throw new Error(`${name} is in the OpenAPI document and not in the contract.`);
      const form = described.requestBody?.content['multipart/form-data']?.schema;
      const [answer] = Object.entries(described.responses[200].content);
      if (answer === undefined) throw new Error(`${name} does not say what it answers.`);
      return {
        id: described.operationId,
        method: method.toUpperCase(),
        path,
        parameters: described.parameters,
        body: described.requestBody?.content['application/json']?.schema,
        upload: Object.keys(form?.properties ?? {})[0],
        answerType: answer[0],
        answer: answer[1].schema,
        slots: slotsOf(endpoint),
        weight: RARE.has(described.operationId) ? RARE_WEIGHT : 1,
      };
    }),
  );
}
