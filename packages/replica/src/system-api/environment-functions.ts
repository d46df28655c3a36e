import { replicaErrors } from '@cannery/ic/errors';
import { MAX_ENVIRONMENT_VARIABLE_BYTES } from '@cannery/ic/limits';
import type { EnvironmentVariable } from '../state/settings.ts';
import { copyOut, readText, requireInHeap } from './blob.ts';
import { type Invocation, type SystemFunction, systemFunction } from './system-function.ts';

const encoder = new TextEncoder();

function variables(api: Invocation): readonly EnvironmentVariable[] {
  return api.context.canister.settings.environmentVariables;
}

function nameAt(api: Invocation, index: number): Uint8Array {
  const variable = variables(api)[index];
  if (variable) return encoder.encode(variable.name);
  throw replicaErrors.contractViolation(
    api.context.canister.id,
    `Environment variable index ${index} is out of bounds. The number of environment variables is ${variables(api).length}.`,
  );
}

/** The variable whose name lies at `pointer`; `what` is the function that asks. */
function find(
  api: Invocation,
  what: string,
  pointer: number,
  size: number,
): { name: string; value: string | undefined } {
  if (size > MAX_ENVIRONMENT_VARIABLE_BYTES) {
    throw replicaErrors.userViolation(api.context.canister.id, `ic0.${what}: Variable name is too large.`);
  }
  requireInHeap(api, `ic0.${what} heap`, pointer, size);
  const name = readText(api, pointer, size, `ic0.${what}: Variable name`);
  return { name, value: variables(api).find((variable) => variable.name === name)?.value };
}

function valueOf(api: Invocation, what: string, pointer: number, size: number): Uint8Array {
  const { name, value } = find(api, what, pointer, size);
  if (value !== undefined) return encoder.encode(value);
  throw replicaErrors.contractViolation(api.context.canister.id, `Environment variable ${name} not found.`);
}

/** The environment variables of the canister's settings. */
export const environmentFunctions: readonly SystemFunction[] = [
  systemFunction(
    'env_var_count',
    { params: [], result: 'ptr', from: '*', charge: 500 },
    (api) => variables(api).length,
  ),
  systemFunction(
    'env_var_name_size',
    { params: ['ptr'], result: 'ptr', from: '*', charge: 500 },
    (api, index) => nameAt(api, index).length,
  ),
  systemFunction(
    'env_var_name_copy',
    { params: ['ptr', 'ptr', 'ptr', 'ptr'], from: '*', charge: 500, sizes: [3] },
    (api, index, ...range) => copyOut(api, 'env_var_name_copy', 'name', nameAt(api, index), range),
  ),
  systemFunction(
    'env_var_name_exists',
    { params: ['ptr', 'ptr'], result: 'i32', from: '*', charge: 500 },
    (api, pointer, size) => (find(api, 'env_var_name_exists', pointer, size).value === undefined ? 0 : 1),
  ),
  systemFunction(
    'env_var_value_size',
    { params: ['ptr', 'ptr'], result: 'ptr', from: '*', charge: 500 },
    (api, pointer, size) => valueOf(api, 'env_var_value_size', pointer, size).length,
  ),
  systemFunction(
    'env_var_value_copy',
    { params: ['ptr', 'ptr', 'ptr', 'ptr', 'ptr'], from: '*', charge: 500, sizes: [4] },
    (api, pointer, size, ...range) => {
      const name = 'env_var_value_copy';
      copyOut(api, name, 'value', valueOf(api, name, pointer, size), range);
    },
  ),
];
