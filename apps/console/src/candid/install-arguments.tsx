import { CandidError, type InitArgs, parseInitArgs } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import type { ArgumentDraft } from '../lib/shared/argument-draft.ts';
import { ArgsForm } from './components/method/args-form.tsx';
import { hexText } from './form/blob-bytes.ts';
import { type ArgsInput, emptyArgs, readArgs } from './form/read-args.ts';
import { OwnPrincipalContext } from './inputs/part-tools.tsx';

/** What makes and reads keys is loaded when it is asked for. */
const findOwnPrincipal = async (): Promise<string> =>
  (await import('./caller/kept-identity.ts')).ownPrincipal();

const noNames: ReadonlyMap<IDL.Type, string> = new Map();

function draftOf(inputs: InitArgs, input: ArgsInput): ArgumentDraft {
  const { types, names } = inputs;
  return {
    count: types.length,
    render: (onChange) => (
      <OwnPrincipalContext value={findOwnPrincipal}>
        <ArgsForm
          method={{ args: types, argNames: names, argTexts: [] }}
          typeNames={noNames}
          input={input}
          onChange={(next) => onChange(draftOf(inputs, next))}
        />
      </OwnPrincipalContext>
    ),
    read: () => {
      const read = readArgs(types, input);
      if (!read.ok) return { ok: false, draft: draftOf(inputs, read.input) };
      return { ok: true, hex: hexText(new Uint8Array(IDL.encode(types, read.values))) };
    },
  };
}

/** Opens the inputs for the install arguments that a Candid text names; undefined when it cannot be read. */
export function openArguments(candid: string): ArgumentDraft | undefined {
  let args: InitArgs;
  try {
    args = parseInitArgs(candid);
  } catch (error) {
    if (error instanceof CandidError) return undefined;
    throw error;
  }
  return draftOf(args, emptyArgs(args.types));
}
