import type { SettingsChange } from '@cannery/contract';
import { ProjectFileError } from '../source/project-file-error.ts';
import { type Fields, fieldsOf, textsOf } from '../source/fields.ts';

/** Canisters of one project; the largest surveyed has 12. */
const CANISTERS_LIMIT = 50;

/**
 * Asked before a canister is read, so that none of the files is opened that are named by canisters beyond the limit.
 * @param known canisters of the project that were read before it
 * @throws ProjectFileError when it would be one too many
 */
export function expectRoomForCanister(known: number): void {
  if (known >= CANISTERS_LIMIT)
    throw new ProjectFileError(`The project has more than ${CANISTERS_LIMIT} canisters. Deploy it in parts.`);
}

/** Factors of the settings of icp.yaml and dfx.json, by unit (reference of icp-cli 1.5, 'Canister settings'). */
const units = {
  bytes: {
    '': 1n,
    b: 1n,
    kb: 1_000n,
    kib: 1024n,
    mb: 1_000_000n,
    mib: 1024n ** 2n,
    gb: 1_000_000_000n,
    gib: 1024n ** 3n,
  },
  cycles: { '': 1n, k: 10n ** 3n, m: 10n ** 6n, b: 10n ** 9n, t: 10n ** 12n },
  seconds: { '': 1n, s: 1n, m: 60n, h: 3_600n, d: 86_400n, w: 604_800n },
} as const;

/** Decimals that are kept. */
const DECIMALS = 12;

/**
 * Reads an amount such as `2.5gib`, `1t`, `30d` or `1_000`.
 * @returns the amount in bytes, cycles or seconds; null when it is not one
 */
export function readAmount(value: unknown, unit: keyof typeof units): bigint | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  const match = /^([\d_]{1,40})(?:\.(\d{1,12}))?\s*([a-z]{0,3})$/i.exec(text.trim());
  if (match === null) return null;
  const [, whole = '', fraction = '', suffix = ''] = match;
  const factors: Readonly<Record<string, bigint>> = units[unit];
  const factor = factors[suffix.toLowerCase()];
  const digits = whole.replaceAll('_', '');
  if (factor === undefined || digits === '') return null;
  const scale = 10n ** BigInt(DECIMALS);
  return ((BigInt(digits) * scale + BigInt(fraction.padEnd(DECIMALS, '0'))) * factor) / scale;
}

const amounts = {
  memory_allocation: 'bytes',
  freezing_threshold: 'seconds',
  reserved_cycles_limit: 'cycles',
  wasm_memory_limit: 'bytes',
  wasm_memory_threshold: 'bytes',
  log_memory_limit: 'bytes',
} as const;

/** Settings of a canister that can be applied, and the names of those that cannot. */
interface ReadSettings {
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
