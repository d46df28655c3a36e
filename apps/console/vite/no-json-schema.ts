import type { Plugin } from 'vite';

const SCHEMAS = /zod\/v4\/classic\/schemas\.js$/;

/** What zod's schemas import to describe themselves as JSON Schema, and what stands for it. */
const LEFT_OUT: readonly (readonly [from: RegExp, to: string])[] = [
  [
    /^import \* as processors from "[^"]*json-schema-processors\.js";$/m,
    'const processors = { aggregateChecks: () => ({}) };',
  ],
  [
    /^import \{ createStandardJSONSchemaMethod, createToJSONSchemaMethod \} from "[^"]*to-json-schema\.js";$/m,
    `const leftOut = () => () => { throw new Error("The console's build of zod makes no JSON Schemas."); };
     const createStandardJSONSchemaMethod = leftOut, createToJSONSchemaMethod = leftOut;`,
  ],
];

/**
 * Leaves the part of zod out that writes JSON Schemas, 60 kB of source that each schema refers to by its methods. The service describes its
 * calls with it; the console never does. A zod that is built otherwise ends the build.
 */
export const noJsonSchema: Plugin = {
  name: 'cannery-no-json-schema',
  transform: {
    filter: { id: SCHEMAS },
    handler(text) {
      return LEFT_OUT.reduce((left, [from, to]) => {
        if (!from.test(left)) this.error(`zod does not import what is to be left out: ${from}`);
        return left.replace(from, to);
      }, text);
    },
  },
};
