import {
  type AmountSetting,
  settingAmounts,
  type SettingsChange,
  settingsLimits,
  type Visibility,
} from '@cannery/contract';
import { Principal } from '@icp-sdk/core/principal';
import { AppError } from '../../../errors.ts';

/**
 * A change of settings that the network can take: principals well-formed and each once, numbers in their ranges.
 * @param guard.console principal that must stay among the controllers unless `giveUp`
 * @throws AppError invalid_input that names the setting and says what is wrong
 */
export function checkedSettings(
  change: SettingsChange,
  guard: { readonly console: string; readonly giveUp: boolean },
): SettingsChange {
  for (const [name, { most, title, unit }] of Object.entries(settingAmounts)) {
    const value = change[name as AmountSetting];
    if (value !== undefined && BigInt(value) > most) refuse(`${title} is ${most} ${unit} at most.`);
  }
  const { controllers, environment_variables, log_memory_limit } = change;
  checkVariables(environment_variables ?? []);
  checkLogMemory(log_memory_limit);
  return {
    ...change,
    ...(controllers === undefined ? {} : { controllers: checkedControllers(controllers, guard) }),
    ...checkedVisibilities(change),
  };
}

function checkedControllers(
  given: readonly string[],
  guard: { readonly console: string; readonly giveUp: boolean },
): string[] {
  const controllers = principals(given);
  if (guard.giveUp || controllers.includes(guard.console)) return controllers;
  throw new AppError(
    'invalid_input',
    `Without ${guard.console} among the controllers, this console can no longer manage the canister. ` +
      'Keep that controller, or confirm that the console gives up control.',
  );
}

const visibilities = ['log_visibility', 'snapshot_visibility', 'status_visibility'] as const;

function checkedVisibilities(change: SettingsChange): Pick<SettingsChange, (typeof visibilities)[number]> {
  return Object.fromEntries(
    visibilities.flatMap((name) => {
      const value = change[name];
      return value === undefined ? [] : [[name, checkedVisibility(value)]];
    }),
  );
}

function checkLogMemory(bytes: string | undefined): void {
  const least = settingsLimits.logMemoryLeastBytes;
  if (bytes === undefined || BigInt(bytes) === 0n || BigInt(bytes) >= least) return;
  refuse(`The log memory is 0 or at least ${least} bytes.`);
}

function checkedVisibility(value: Visibility): Visibility {
  return typeof value === 'string' ? value : { allowed_viewers: principals(value.allowed_viewers) };
}

/** Each principal once, as the network writes it. */
function principals(texts: readonly string[]): string[] {
  return [...new Set(texts.map(principal))];
}

function principal(text: string): string {
  try {
    return Principal.fromText(text).toText();
  } catch (cause) {
    throw new AppError('invalid_input', `${text} is not a principal: look for a typing mistake.`, { cause });
  }
}

function checkVariables(variables: readonly { name: string; value: string }[]): void {
  const { environmentNameBytes, environmentValueBytes } = settingsLimits;
  const names = new Set<string>();
  for (const { name, value } of variables) {
    if (names.has(name)) refuse(`The environment variable ${name} is given twice.`);
    names.add(name);
    if (Buffer.byteLength(name) > environmentNameBytes) {
      refuse(`The name of an environment variable has ${environmentNameBytes} bytes at most: ${name}`);
    }
    if (Buffer.byteLength(value) > environmentValueBytes) {
      refuse(`The value of an environment variable has ${environmentValueBytes} bytes at most: ${name}`);
    }
  }
}

function refuse(message: string): never {
  throw new AppError('invalid_input', message);
}
