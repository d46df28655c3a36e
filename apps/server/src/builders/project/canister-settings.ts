import type { SettingsChange } from '@cannery/contract';
import { readAmount } from './amounts.ts';
import { type Fields, fieldsOf, textsOf } from './fields.ts';

const amounts = {
  memory_allocation: 'bytes',
  freezing_threshold: 'seconds',
  reserved_cycles_limit: 'cycles',
  wasm_memory_limit: 'bytes',
  wasm_memory_threshold: 'bytes',
  log_memory_limit: 'bytes',
} as const;

/** Settings of a canister that can be applied, and the names of those that cannot. */
export interface ReadSettings {
  readonly settings: SettingsChange;
  readonly notApplied: readonly string[];
}

/** Reads the settings of a canister as icp.yaml and dfx.json write them. */
export function readSettings(fields: Fields): ReadSettings {
  const settings: SettingsChange = {};
  const notApplied: string[] = [];
  for (const [name, value] of Object.entries(fields)) {
    if (!apply(settings, name, value)) notApplied.push(name);
  }
  return { settings, notApplied };
}

/** Puts one setting into `settings`; false when it is none of those that can be applied, or its value is not one. */
function apply(settings: SettingsChange, name: string, value: unknown): boolean {
  if (name in amounts) {
    const key = name as keyof typeof amounts;
    const amount = readAmount(value, amounts[key]);
    if (amount !== null) settings[key] = String(amount);
    return amount !== null;
  }
  switch (name) {
    case 'compute_allocation': {
      const percent = Number(value);
      if (!Number.isInteger(percent) || percent < 0 || percent > 100) return false;
      settings.compute_allocation = String(percent);
      return true;
    }
    case 'log_visibility': {
      const viewers = textsOf(fieldsOf(value).allowed_viewers);
      if (value === 'controllers' || value === 'public') settings.log_visibility = value;
      else if (viewers.length > 0) settings.log_visibility = { allowed_viewers: viewers };
      else return false;
      return true;
    }
    case 'environment_variables': {
      const all = Object.entries(fieldsOf(value));
      settings.environment_variables = all.flatMap(([key, one]) => {
        const text = typeof one === 'string' ? one : null;
        return text === null ? [] : [{ name: key, value: text }];
      });
      return settings.environment_variables.length === all.length;
    }
    default:
      // A name without a value asks for nothing.
      return value === null || value === '';
  }
}
