import {
  type CanisterSettings,
  type SettingsChange,
  settingsLimits,
  type Visibility,
} from '@cannery/contract';
import {
  byteUnits,
  cycleUnits,
  durationUnits,
  percentUnits,
  type Quantity,
  quantityOf,
  type Units,
} from './quantity.ts';

/** Settings that are one amount, in the order of the form. */
export const amountFields = {
  freezing_threshold: durationUnits,
  reserved_cycles_limit: cycleUnits,
  minimum_incoming_canister_call_cycles: cycleUnits,
  compute_allocation: percentUnits,
  memory_allocation: byteUnits,
  wasm_memory_limit: byteUnits,
  wasm_memory_threshold: byteUnits,
  log_memory_limit: byteUnits,
} as const satisfies Partial<Record<keyof CanisterSettings, Units>>;

export type AmountField = keyof typeof amountFields;

/** Who may read something, as the form keeps it: the list of viewers stays while another choice is tried. */
export interface VisibilityDraft {
  readonly who: 'controllers' | 'public' | 'allowed_viewers';
  readonly viewers: readonly string[];
}

/** One line of the editor of environment variables; `key` stays with it. */
export interface VariableDraft {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

/** What is in the form of a canister's settings, as typed. */
export interface SettingsDraft extends Readonly<Record<AmountField, Quantity>> {
  readonly controllers: readonly string[];
  readonly log_visibility: VisibilityDraft;
  readonly snapshot_visibility: VisibilityDraft;
  readonly status_visibility: VisibilityDraft;
  readonly environment_variables: readonly VariableDraft[];
}

function visibilityDraft(visibility: Visibility): VisibilityDraft {
  return typeof visibility === 'string'
    ? { who: visibility, viewers: [] }
    : { who: 'allowed_viewers', viewers: visibility.allowed_viewers };
}

/** The form for the settings of a canister. */
export function draftOf(settings: CanisterSettings): SettingsDraft {
  const amount = (field: AmountField): Quantity => quantityOf(settings[field], amountFields[field]);
  return {
    freezing_threshold: amount('freezing_threshold'),
    reserved_cycles_limit: amount('reserved_cycles_limit'),
    minimum_incoming_canister_call_cycles: amount('minimum_incoming_canister_call_cycles'),
    compute_allocation: amount('compute_allocation'),
    memory_allocation: amount('memory_allocation'),
    wasm_memory_limit: amount('wasm_memory_limit'),
    wasm_memory_threshold: amount('wasm_memory_threshold'),
    log_memory_limit: amount('log_memory_limit'),
    controllers: settings.controllers,
    log_visibility: visibilityDraft(settings.log_visibility),
    snapshot_visibility: visibilityDraft(settings.snapshot_visibility),
    status_visibility: visibilityDraft(settings.status_visibility),
    environment_variables: settings.environment_variables.map((variable, key) => ({ key, ...variable })),
  };
}

/** An empty line for one more environment variable. */
export function withVariable(variables: readonly VariableDraft[]): readonly VariableDraft[] {
  if (variables.length >= settingsLimits.environmentVariables) return variables;
  const key = 1 + Math.max(-1, ...variables.map((variable) => variable.key));
  return [...variables, { key, name: '', value: '' }];
}

/** Whether a change takes the console's own principal off the controllers. */
export function givesUpControl(change: SettingsChange, consolePrincipal: string): boolean {
  return change.controllers !== undefined && !change.controllers.includes(consolePrincipal);
}

/** Label and explanation of each setting that is an amount. */
export const amountTexts: Record<AmountField, { readonly label: string; readonly hint: string }> = {
  freezing_threshold: {
    label: 'Freezing threshold',
    hint: 'The canister freezes when its cycles last for less than this.',
  },
  reserved_cycles_limit: {
    label: 'Reserved cycles limit',
    hint: 'The most the network may set aside for storage when the subnet fills up.',
  },
  minimum_incoming_canister_call_cycles: {
    label: 'Cycles a call must bring',
    hint: 'Calls of other canisters that carry less are refused. 0 takes every call.',
  },
  compute_allocation: {
    label: 'Compute allocation',
    hint: 'Share of a core kept free for the canister; paid whether used or not.',
  },
  memory_allocation: {
    label: 'Memory allocation',
    hint: 'Memory kept for the canister; paid whether used or not. 0 takes what is free.',
  },
  wasm_memory_limit: {
    label: 'Main memory limit',
    hint: 'Updates fail beyond it, so that an upgrade can still run. 0 sets no limit.',
  },
  wasm_memory_threshold: {
    label: 'Low memory warning',
    hint: 'The low-memory hook runs when less than this is left of the main memory.',
  },
  log_memory_limit: {
    label: 'Log memory',
    hint: 'How much the network keeps of what the canister prints; older lines go first. 0 keeps nothing.',
  },
};
