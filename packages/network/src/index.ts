export {
  createLocalNetwork,
  DEFAULT_HOST,
  DEFAULT_PORT,
  type LocalNetwork,
  type LocalNetworkOptions,
} from './local-network.ts';
export {
  DEFAULT_FEE_PROFILE,
  FEE_SCHEDULES,
  type FeeProfile,
  type FeeSchedule,
} from './cycles/fee-schedule.ts';
export { AddressInUseError } from './http/server.ts';
export { DEFAULT_INSTRUCTION_LIMITS, type InstructionLimits } from './limits.ts';
