export { type EnvInput, options } from './config/env.ts';
export { StartError } from './errors.ts';
export { type RunningServer, type StartOptions, startServer } from './start-server.ts';
