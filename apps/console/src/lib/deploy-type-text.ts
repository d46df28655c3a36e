import type { DeployType } from '@cannery/contract';

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
export function deployTypeTag(type: string): string {
  return type.toLowerCase().replaceAll('_', ' ');
}

/** The type as the header of a deploy names it. */
export function deployKind(type: string): 'STATIC SITE' | 'SMART CONTRACT' {
  return type === 'STATIC_SITE' ? 'STATIC SITE' : 'SMART CONTRACT';
}
