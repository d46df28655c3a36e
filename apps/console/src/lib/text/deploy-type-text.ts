import type { DeployType } from '@cannery/contract';
import { NOT_AVAILABLE } from './formats.ts';

const texts: Record<DeployType, { readonly heading: string; readonly choice: string }> = {
  STATIC_SITE: { heading: 'Static Website', choice: 'Website' },
  MOTOKO: { heading: 'MOTOKO Smart Contract', choice: 'Motoko canisters' },
  CUSTOM: { heading: 'Custom DFX DApp', choice: 'Whole project (dfx.json, icp.yaml)' },
};

/** The type as the headings of the create-deploy screens name it. */
export function deployTypeText(type: DeployType): string {
  return texts[type].heading;
}

/** The type as the links that choose it name it. */
export function deployTypeChoice(type: DeployType): string {
  return texts[type].choice;
}

/** The type as sentences and lists of facts name it: as the links do, without the names of files. */
export function deployTypeName(type: DeployType): string {
  return deployTypeChoice(type).replace(/ \(.*$/, '');
}

/** The type as tables and tags show it: lowercase, the underscore as a space. */
export function deployTypeTag(type: string | null): string {
  return type ? type.toLowerCase().replaceAll('_', ' ') : NOT_AVAILABLE;
}

/** The type as the header of a deploy names it. */
export function deployKind(type: string | null): 'STATIC SITE' | 'SMART CONTRACT' {
  return type === 'STATIC_SITE' ? 'STATIC SITE' : 'SMART CONTRACT';
}
