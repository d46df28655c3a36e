import type { AmountSetting } from '@cannery/contract';
import { byteUnits, cycleUnits, durationUnits, percentUnits, type Units } from './quantity.ts';

interface AmountField {
  readonly label: string;
  readonly hint: string;
  readonly units: Units;
  /** Where in the form it stands. */
  readonly section: 'cycles' | 'resources';
  /** What is said of more than the network takes; left out where nobody would enter that. */
  readonly tooMuch?: string;
}

/** Settings that are one amount, in the order of the form. */
export const amountFields: Readonly<Record<AmountSetting, AmountField>> = {
  freezing_threshold: {
    label: 'Freezing threshold',
    hint: 'The canister freezes when its cycles last for less than this.',
    units: durationUnits,
    section: 'cycles',
  },
  reserved_cycles_limit: {
    label: 'Reserved cycles limit',
    hint: 'The most the network may set aside for storage when the subnet fills up.',
    units: cycleUnits,
    section: 'cycles',
  },
  minimum_incoming_canister_call_cycles: {
    label: 'Cycles a call must bring',
    hint: 'Calls of other canisters that carry less are refused. 0 takes every call.',
    units: cycleUnits,
    section: 'cycles',
  },
  compute_allocation: {
    label: 'Compute allocation',
    hint: 'Share of a core kept free for the canister; paid whether used or not.',
    units: percentUnits,
    section: 'resources',
    tooMuch: 'At most 100 %.',
  },
  memory_allocation: {
    label: 'Memory allocation',
    hint: 'Memory kept for the canister; paid whether used or not. 0 takes what is free.',
    units: byteUnits,
    section: 'resources',
    tooMuch: 'At most 256 TiB.',
  },
  wasm_memory_limit: {
    label: 'Main memory limit',
    hint: 'Updates fail beyond it, so that an upgrade can still run. 0 sets no limit.',
    units: byteUnits,
    section: 'resources',
    tooMuch: 'At most 256 TiB.',
  },
  wasm_memory_threshold: {
    label: 'Low memory warning',
    hint: 'The low-memory hook runs when less than this is left of the main memory.',
    units: byteUnits,
    section: 'resources',
    tooMuch: 'At most 256 TiB.',
  },
  log_memory_limit: {
    label: 'Log memory',
    hint: 'How much the network keeps of what the canister prints; older lines go first. 0 keeps nothing.',
    units: byteUnits,
    section: 'resources',
    tooMuch: 'At most 2 MiB.',
  },
};

export const amountNames = Object.keys(amountFields) as AmountSetting[];
