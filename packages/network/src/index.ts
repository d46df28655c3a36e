export { type CheckedModule, checkModule, InvalidModuleError } from '@cannery/replica/check-module';
export {
  createLocalNetwork,
  type LocalNetwork,
  type LocalNetworkOptions,
} from './local-network.ts';
export {
  DEFAULT_FEE_PROFILE,
  FEE_SCHEDULES,
  type FeeProfile,
  type FeeSchedule,
} from '@cannery/replica/cycles/fee-schedule';
export { DEFAULT_HOST, DEFAULT_PORT } from './http/transport/served-hosts.ts';
export { AddressInUseError } from './http/server.ts';
export { DEFAULT_INSTRUCTION_LIMITS, type InstructionLimits } from '@cannery/ic/limits';
