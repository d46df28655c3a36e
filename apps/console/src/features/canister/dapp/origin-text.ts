import type { Canister } from '@cannery/contract';
import { shown } from '../../../lib/text/formats.ts';

export type Origin = NonNullable<Canister['origin']>;

/** Where code came from, as a part of a sentence. */
export function sourceText({ kind, name, version, publisher }: Origin): string {
  switch (kind) {
    case 'dapp':
      return `${shown(name)} v${shown(version)}, published by @${shown(publisher)}`;
    case 'registry':
      return `the registry ${shown(name)}, version ${shown(version)}`;
    case 'run':
      return `a run of the deploy ${shown(name)}`;
    case 'file':
      return 'a file';
    case 'empty':
      return 'none';
    default:
      return 'of which the origin is not known';
  }
}
