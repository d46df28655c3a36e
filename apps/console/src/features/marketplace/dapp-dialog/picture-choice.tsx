import type { Dapp, PictureChoice } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Select } from '../../../components/ui/select.tsx';
import { usePublicConfig } from '../../../lib/shared/public-config.ts';
import { shown } from '../../../lib/text/formats.ts';
import { dappPicturesQuery } from '../api/queries.ts';

/** SHA-256 of a file, hex; undefined while it is not known, and where the browser computes none. */
function useDigest(file: File | undefined): string | undefined {
  const [known, setKnown] = useState<{ readonly file: File; readonly digest: string }>();
  useEffect(() => {
    if (file === undefined) return;
    let isCurrent = true;
    void digestOf(file).then((digest) => {
      if (isCurrent && digest !== undefined) setKnown({ file, digest });
    });
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return known?.file === file ? known?.digest : undefined;
}

async function digestOf(file: File): Promise<string | undefined> {
  try {
    const bytes = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
    return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
  } catch {
    // Without a secure context there is none; the picture can be chosen once the dapp is there.
    return undefined;
  }
}

/** What is chosen as the picture of a dapp, and out of what. */
interface ChosenPicture {
  /** The canister; '' for none, and undefined for what the dapp has. */
  readonly value: string | undefined;
  readonly choose: (value: string | undefined) => void;
  readonly choices: readonly PictureChoice[];
  /** Address of the picture that the dapp has. */
  readonly current: string | null;
  /** Whether the service takes pictures. */
  readonly isOffered: boolean;
}

/** The picture of a dapp: of a canister that runs its newest module. @param wasm the module of its next version */
export function usePictureChoice(dapp: Dapp | undefined, wasm: File | undefined): ChosenPicture {
  const isOffered = usePublicConfig()?.pictures === true;
  const digest = useDigest(wasm);
  const module = wasm === undefined ? dapp?.wasm : digest;
  const { data } = useQuery({
    ...dappPicturesQuery(module ?? ''),
    enabled: isOffered && module !== undefined,
  });
  const [chosen, choose] = useState<string>();
  const choices = data ?? [];
  // One that shows another module than the dialog has by now is not chosen any more.
  const isThere = chosen === '' || choices.some(({ canister_id: id }) => id === chosen);
  return { value: isThere ? chosen : undefined, choose, choices, current: dapp?.picture ?? null, isOffered };
}

const KEEP = 'keep';
const NONE = 'none';

interface PictureFieldProps {
  readonly choice: ChosenPicture;
  readonly disabled: boolean;
}

/** The choice of a picture, with what is chosen; nothing where the service takes none. */
export function PictureField({ choice, disabled }: PictureFieldProps) {
  const { value, choose, choices, current, isOffered } = choice;
  if (!isOffered) return null;
  const options = [
    { value: KEEP, label: current === null ? 'No picture' : 'The present picture' },
    ...(current === null ? [] : [{ value: NONE, label: 'No picture' }]),
    ...choices.map(({ canister_id: id, canister_name: name }) => ({ value: id, label: shown(name) })),
  ];
  const chosen = choices.find(({ canister_id: id }) => id === value);
  const picture = chosen?.picture ?? (value === undefined ? current : null);
  return (
    <div className="flex items-start gap-4">
      <div className="min-w-0 flex-1">
        <Select
          label="Picture (optional)"
          hint={
            choices.length > 0
              ? 'Of a canister of yours that runs this module.'
              : 'Of a canister of yours that runs this module: take one on its page first.'
          }
          options={options}
          value={value === '' ? NONE : (value ?? KEEP)}
          disabled={disabled}
          onChange={(next) => choose(next === KEEP ? undefined : next === NONE ? '' : next)}
        />
      </div>
      <span className="mt-6 grid aspect-8/5 w-28 shrink-0 overflow-hidden rounded-md border border-line bg-sunken">
        {picture !== null && (
          <img src={picture} alt="The chosen picture" className="size-full object-cover object-top" />
        )}
      </span>
    </div>
  );
}
