import {
  type AmountSetting,
  type CanisterSettings,
  settingAmounts,
  type SettingsChange,
  settingsLimits,
  twoReadings,
  type Visibility,
} from '@cannery/contract';
import { Principal } from '@icp-sdk/core/principal';
import { amountFields, amountNames } from './amount-fields.ts';
import { amountOf } from './quantity.ts';
import type { PrincipalsDraft, SettingsDraft, VariableDraft, VisibilityDraft } from './settings-draft.ts';

const visibilities = ['log_visibility', 'snapshot_visibility', 'status_visibility'] as const;

/** Sentences on what is wrong, by field; an environment variable by `environment_variables/<key>`. */
export type SettingsMistakes = ReadonlyMap<string, string>;

export interface ReadSettings {
  /** Only what differs from the settings that the form was filled with. */
  readonly change: SettingsChange;
  readonly mistakes: SettingsMistakes;
}

/** Why the network would refuse an amount, or undefined when it is in range. */
function amountMistake(field: AmountSetting, amount: bigint): string | undefined {
  if (amount > settingAmounts[field].most) return amountFields[field].tooMuch;
  if (field !== 'log_memory_limit' || amount === 0n || amount >= settingsLimits.logMemoryLeastBytes) return;
  return 'Enter 0, or at least 4 KiB.';
}

/** Why a text is no principal, or undefined when it is one. */
export function principalMistake(text: string): string | undefined {
  if (text === '') return 'Enter a principal, such as rrkah-fqaaa-aaaaa-aaaaq-cai.';
  try {
    // Other ways to write the same principal, such as capitals, would not compare as equal.
    return Principal.fromText(text).toText() === text ? undefined : 'Write it in small letters.';
  } catch {
    return 'This is not a principal: a letter is wrong or missing.';
  }
}

/** Why what is typed cannot join a list of principals, or undefined when it can. */
export function typedMistake({ principals, typed }: PrincipalsDraft): string | undefined {
  const principal = typed.trim();
  return principals.includes(principal) ? 'It is on the list already.' : principalMistake(principal);
}

/** A list of principals with the one that is typed, where it can join. */
export function withTyped(list: PrincipalsDraft): readonly string[] {
  return typedMistake(list) === undefined ? [...list.principals, list.typed.trim()] : list.principals;
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

function visibilityOf({ who, viewers }: VisibilityDraft): Visibility {
  return who === 'allowed_viewers' ? { allowed_viewers: [...withTyped(viewers)] } : who;
}

/** The lists of principals that the form shows, by field. */
function shownLists(draft: SettingsDraft): ReadonlyMap<string, PrincipalsDraft> {
  const shown = new Map([['controllers', draft.controllers]]);
  for (const field of visibilities)
    if (draft[field].who === 'allowed_viewers') shown.set(field, draft[field].viewers);
  return shown;
}

function variableMistake(variable: VariableDraft, all: readonly VariableDraft[]): string | undefined {
  const { environmentNameBytes, environmentValueBytes } = settingsLimits;
  if (variable.name === '') return 'Enter a name.';
  if (bytesOf(variable.name) > environmentNameBytes)
    return `A name has at most ${environmentNameBytes} bytes.`;
  if (bytesOf(variable.value) > environmentValueBytes)
    return `A value has at most ${environmentValueBytes} bytes.`;
  const first = all.find(({ name }) => name === variable.name);
  return first === variable ? undefined : 'This name is taken by a variable above.';
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/**
 * Turns the form into the change it asks for, and says what has to be corrected first.
 * @param settings those that the form was filled with
 */
export function readDraft(draft: SettingsDraft, settings: CanisterSettings): ReadSettings {
  const mistakes = new Map<string, string>();
  const next: { -readonly [Field in keyof CanisterSettings]: CanisterSettings[Field] } = {
    ...settings,
    controllers: [...withTyped(draft.controllers)],
    log_visibility: visibilityOf(draft.log_visibility),
    snapshot_visibility: visibilityOf(draft.snapshot_visibility),
    status_visibility: visibilityOf(draft.status_visibility),
    environment_variables: draft.environment_variables.map(({ name, value }) => ({ name, value })),
  };
  for (const field of amountNames) {
    const { units } = amountFields[field];
    const amount = amountOf(draft[field], units);
    const mistake =
      amount === undefined
        ? (twoReadings(draft[field].text) ??
          `Enter a number that makes a whole number of ${units.at(-1)?.name}.`)
        : amountMistake(field, BigInt(amount));
    if (mistake !== undefined) mistakes.set(field, mistake);
    else if (amount !== undefined) next[field] = amount;
  }
  for (const [field, list] of shownLists(draft)) {
    // What is typed and not added would be left out without a word.
    const mistake = list.typed.trim() === '' ? undefined : typedMistake(list);
    if (mistake !== undefined) mistakes.set(field, mistake);
  }
  for (const variable of draft.environment_variables) {
    const mistake = variableMistake(variable, draft.environment_variables);
    if (mistake !== undefined) mistakes.set(`environment_variables/${variable.key}`, mistake);
  }
  const change = Object.fromEntries(
    Object.entries(next).filter(([field, value]) => !same(value, settings[field as keyof CanisterSettings])),
  ) as SettingsChange;
  return { change, mistakes };
}
