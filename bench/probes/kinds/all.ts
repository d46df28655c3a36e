import type { Probe } from '../probe.ts';
import { calls } from './bodies.ts';
import { builds } from './builds.ts';
import { connections } from './connections.ts';
import { gits } from './git.ts';
import { pages } from './pages.ts';
import { requests } from './requests.ts';
import { signatures } from './signatures.ts';
import { uploads } from './uploads.ts';
import { visitors } from './visitors.ts';

/** Every probe, in the order in which they run. */
export const PROBES: readonly Probe[] = [
  ...connections,
  ...requests,
  ...signatures,
  ...pages,
  ...calls,
  ...uploads,
  ...visitors,
  ...gits,
  ...builds,
];
