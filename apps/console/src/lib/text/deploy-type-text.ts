import type { DeployType } from '@cannery/contract';
import { NOT_AVAILABLE } from './formats.ts';

const choice: Record<DeployType, string> = {
  STATIC_SITE: 'Static Website',
  MOTOKO: 'MOTOKO Smart Contract',
  CUSTOM: 'Custom DFX DApp',
};

/** The type as the headings of the create-deploy screens name it. */
export function deployTypeText(type: DeployType): string {
  return choice[type];
}

/** The type as tables and tags show it: lowercase, the underscore as a space. */
export function deployTypeTag(type: string | null): string {
  return type ? type.toLowerCase().replaceAll('_', ' ') : NOT_AVAILABLE;
}

/** The type as the header of a deploy names it. */
export function deployKind(type: string | null): 'STATIC SITE' | 'SMART CONTRACT' {
  return type === 'STATIC_SITE' ? 'STATIC SITE' : 'SMART CONTRACT';
}
