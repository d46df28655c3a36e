import { CandidError, type InitArgs, parseInitArgs } from '@cannery/candid';
import { IDL } from '@icp-sdk/core/candid';
import { Button } from '../components/ui/button.tsx';
import type { ArgumentDraft } from '../lib/argument-draft.ts';
import { ArgsForm } from './components/args-form.tsx';
import type { ArgsInput } from './form/args-input.ts';
import { emptyArgs, readArgs, switchInput } from './form/read-args.ts';

const noNames: ReadonlyMap<IDL.Type, string> = new Map();

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function draftOf(inputs: InitArgs, input: ArgsInput): ArgumentDraft {
  const { types, names } = inputs;
  return {
    count: types.length,
    render: (onChange) => (
      <>
        <ArgsForm
          method={{ args: types, argNames: names, argTexts: [] }}
          typeNames={noNames}
          input={input}
          onChange={(next) => onChange(draftOf(inputs, next))}
        />
        <Button
          size="small"
          variant="ghost"
          className="self-start"
          onClick={() => onChange(draftOf(inputs, switchInput(types, input)))}
        >
          {input.kind === 'form' ? 'Enter as text' : 'Enter in a form'}
        </Button>
      </>
    ),
    read: () => {
      const read = readArgs(types, input);
      if (!read.ok) return { ok: false, draft: draftOf(inputs, read.input) };
      return { ok: true, hex: hexOf(new Uint8Array(IDL.encode(types, read.values))) };
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
