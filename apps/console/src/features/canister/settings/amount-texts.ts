import type { AmountField } from './settings-draft.ts';

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
