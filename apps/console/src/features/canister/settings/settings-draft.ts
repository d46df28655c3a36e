import {
  type AmountSetting,
  type CanisterSettings,
  eachAmount,
  type SettingsChange,
  settingsLimits,
  type Visibility,
} from '@cannery/contract';
import { amountFields } from './amount-fields.ts';
import { type Quantity, quantityOf } from './quantity.ts';

/** A list of principals, with what is typed for one more and not added yet. */
export interface PrincipalsDraft {
  readonly principals: readonly string[];
  readonly typed: string;
}

/** Who may read something, as the form keeps it: the list of viewers stays while another choice is tried. */
export interface VisibilityDraft {
  readonly who: 'controllers' | 'public' | 'allowed_viewers';
  readonly viewers: PrincipalsDraft;
}

/** One line of the editor of environment variables; `key` stays with it. */
export interface VariableDraft {
  readonly key: number;
  readonly name: string;
  readonly value: string;
}

/** What is in the form of a canister's settings, as typed. */
export interface SettingsDraft extends Readonly<Record<AmountSetting, Quantity>> {
  readonly controllers: PrincipalsDraft;
  readonly log_visibility: VisibilityDraft;
  readonly snapshot_visibility: VisibilityDraft;
  readonly status_visibility: VisibilityDraft;
  readonly environment_variables: readonly VariableDraft[];
}

function visibilityDraft(visibility: Visibility): VisibilityDraft {
  return typeof visibility === 'string'
    ? { who: visibility, viewers: { principals: [], typed: '' } }
    : { who: 'allowed_viewers', viewers: { principals: visibility.allowed_viewers, typed: '' } };
}

/** The form for the settings of a canister. */
export function draftOf(settings: CanisterSettings): SettingsDraft {
  return {
    ...eachAmount((field) => quantityOf(settings[field], amountFields[field].units)),
    controllers: { principals: settings.controllers, typed: '' },
    log_visibility: visibilityDraft(settings.log_visibility),
    snapshot_visibility: visibilityDraft(settings.snapshot_visibility),
    status_visibility: visibilityDraft(settings.status_visibility),
    environment_variables: settings.environment_variables.map((variable, key) => ({ key, ...variable })),
  };
}

/** What is typed, and the settings that were shown when that began: what differs from those is what the user has changed. */
export interface TypedSettings {
  readonly base: CanisterSettings;
  readonly draft: SettingsDraft;
}

/** What is typed after one more edit of a form that shows the settings. */
export function withEdit(
  typed: TypedSettings | undefined,
  settings: CanisterSettings,
  part: Partial<SettingsDraft>,
): TypedSettings {
  const { base, draft } = typed ?? { base: settings, draft: draftOf(settings) };
  return { base, draft: { ...draft, ...part } };
}

/** An empty line for one more environment variable. */
export function withVariable(variables: readonly VariableDraft[]): readonly VariableDraft[] {
  if (variables.length >= settingsLimits.environmentVariables) return variables;
  const key = 1 + Math.max(-1, ...variables.map((variable) => variable.key));
  return [...variables, { key, name: '', value: '' }];
}

/** Whether a change takes the console's own principal off the controllers. */
export function givesUpControl(change: SettingsChange, consolePrincipal: string): boolean {
  return change.controllers !== undefined && !change.controllers.includes(consolePrincipal);
}
