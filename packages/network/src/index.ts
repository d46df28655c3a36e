export {
  createLocalNetwork,
  DEFAULT_HOST,
  DEFAULT_PORT,
  type LocalNetwork,
  type LocalNetworkOptions,
} from './local-network.ts';
export { AddressInUseError } from './http/server.ts';
export { DEFAULT_INSTRUCTION_LIMITS, type InstructionLimits } from './limits.ts';
