export { type Api, createApi, signIn } from './api.ts';
export { type PretendGitHub, startPretendGitHub } from './github/pretend-github.ts';
export { type GitServer, startGitServer } from './git-server.ts';
export { processes, type RunningProcess } from './processes.ts';
export { freePort, isFree, type Product, type ProductOptions, startProduct } from './product.ts';
export { hostileAddresses } from './hostile-addresses.ts';
export { hostileBranches, hostileDirectories, hostileNames } from './hostile-names.ts';
export { networkProgram, serverProgram } from './programs.ts';
export { git, pushFolder } from './repositories.ts';
