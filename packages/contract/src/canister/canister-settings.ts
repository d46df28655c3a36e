import { z } from 'zod';

/**
 * Bounds of the settings of a canister, from the IC interface specification 0.66 (`canister_settings`), and for the
 * environment variables from "Resource limits" of the developer documentation.
 */
export const settingsLimits = {
  controllers: 10,
  allowedViewers: 10,
  computeAllocationPercent: 100,
  environmentVariables: 20,
  environmentNameBytes: 128,
  environmentValueBytes: 128,
  /** 2^48, the largest memory limit in bytes. */
  memoryBytes: 281_474_976_710_656n,
  /** Logs are kept off (0), or in this much memory: from a page to the most. */
  logMemoryLeastBytes: 4_096n,
  logMemoryBytes: 2_097_152n,
} as const;

/** A natural number as decimal text: cycles, bytes and seconds of the network exceed what a JSON number holds exactly. */
const natural = z.string().regex(/^\d{1,39}$/, { message: 'Must be a whole number.' });

/** Text of a principal, such as `rrkah-fqaaa-aaaaa-aaaaq-cai`; the server checks its check sum. */
const principalText = z
  .string()
  .regex(/^[a-z0-9]{1,5}(-[a-z0-9]{1,5})*$/, { message: 'Must be a principal.' });

const U64 = 2n ** 64n - 1n;
const U128 = 2n ** 128n - 1n;

interface SettingAmount {
  readonly most: bigint;
  /** What it is counted in. */
  readonly unit: 'percent' | 'bytes' | 'seconds' | 'cycles';
  /** The subject of a sentence about it. */
  readonly title: string;
  /** How the history of a canister names it. */
  readonly noted: string;
}

/** Settings of a canister that are one amount; ranges of the interface specification 0.66 (`canister_settings`). */
export const settingAmounts = {
  /** Percent of a core that is kept for the canister. */
  compute_allocation: {
    most: BigInt(settingsLimits.computeAllocationPercent),
    unit: 'percent',
    title: 'The compute allocation',
    noted: 'compute allocation (percent)',
  },
  /** Bytes kept for the canister. */
  memory_allocation: {
    most: settingsLimits.memoryBytes,
    unit: 'bytes',
    title: 'The memory allocation',
    noted: 'memory allocation (bytes)',
  },
  /** Seconds the canister must be able to pay for its resources, or it is frozen. */
  freezing_threshold: {
    most: U64,
    unit: 'seconds',
    title: 'The freezing threshold',
    noted: 'freezing threshold (seconds)',
  },
  reserved_cycles_limit: {
    most: U128,
    unit: 'cycles',
    title: 'The reserved cycles limit',
    noted: 'reserved cycles limit',
  },
  /** Cycles a call of another canister must bring, or it is refused. */
  minimum_incoming_canister_call_cycles: {
    most: U128,
    unit: 'cycles',
    title: 'What a call must bring',
    noted: 'cycles a call must bring',
  },
  /** Bytes; 0 for no limit. */
  wasm_memory_limit: {
    most: settingsLimits.memoryBytes,
    unit: 'bytes',
    title: 'The main memory limit',
    noted: 'main memory limit (bytes)',
  },
  /** Bytes left below which the canister's low-memory hook runs. */
  wasm_memory_threshold: {
    most: settingsLimits.memoryBytes,
    unit: 'bytes',
    title: 'The low memory warning',
    noted: 'low memory warning (bytes)',
  },
  /** Bytes of the newest log lines that the network keeps; 0 for none. */
  log_memory_limit: {
    most: settingsLimits.logMemoryBytes,
    unit: 'bytes',
    title: 'The log memory',
    noted: 'log memory (bytes)',
  },
} as const satisfies Readonly<Record<string, SettingAmount>>;
export type AmountSetting = keyof typeof settingAmounts;

/** A record with a value for each setting that is an amount. */
export function eachAmount<T>(valueOf: (name: AmountSetting) => T): Record<AmountSetting, T> {
  const names = Object.keys(settingAmounts) as AmountSetting[];
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<AmountSetting, T>;
}

/** Who besides the controllers may read something of a canister. */
export const visibility = z.union([
  z.literal('controllers'),
  z.literal('public'),
  z.object({ allowed_viewers: z.array(principalText).max(settingsLimits.allowedViewers) }),
]);
export type Visibility = z.infer<typeof visibility>;

export const environmentVariable = z.object({ name: z.string().min(1), value: z.string() });

/** All settings of a canister, named as on the network. */
export const canisterSettings = z.object({
  controllers: z.array(principalText).max(settingsLimits.controllers),
  ...eachAmount(() => natural),
  log_visibility: visibility,
  snapshot_visibility: visibility,
  /** Status: balance, memory and settings. */
  status_visibility: visibility,
  environment_variables: z.array(environmentVariable).max(settingsLimits.environmentVariables),
});
export type CanisterSettings = z.infer<typeof canisterSettings>;

/** A change of settings: what is absent stays as it is. */
export const settingsChange = canisterSettings.partial();
export type SettingsChange = z.infer<typeof settingsChange>;
