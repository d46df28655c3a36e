import { type Dapp, documentEndpoints } from '@cannery/contract';
import { useState } from 'react';
import { ApiError } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/api.ts';
import type { SentBytes } from '../../../lib/browser/upload-bytes.ts';
import { type DappFields, updateOf } from './dapp-fields.ts';
import { useSubmitDapp, useUpdateDapp } from '../api/mutations.ts';

/** What of a save is under way. */
export type SaveStep =
  | { readonly what: 'icon' | 'wasm'; readonly bytes: SentBytes }
  | { readonly what: 'dapp'; readonly bytes?: undefined };

type Uploads = typeof documentEndpoints.uploadIcon | typeof documentEndpoints.uploadWasm;

/**
 * Saves a dapp: uploads its files, then submits it or, when there is one already, updates it.
 * `save` throws what the failed call threw; what was uploaded by then need not be sent again by the service's own rules.
 */
export function useSaveDapp(dapp: Dapp | undefined) {
  const submit = useSubmitDapp();
  const update = useUpdateDapp(dapp?.id ?? '');
  const [step, setStep] = useState<SaveStep>();

  const upload = async (what: 'icon' | 'wasm', endpoint: Uploads, file: File | undefined) => {
    if (file === undefined) return undefined;
    setStep({ what, bytes: { sent: 0, total: file.size } });
    const onProgress = (sent: number, total: number): void => setStep({ what, bytes: { sent, total } });
    const identifier = await api.call(endpoint, { file, onProgress });
    if (identifier === undefined) throw ApiError.unreadable(endpoint.path, 'The answer has no identifier.');
    return identifier;
  };

  const save = async (fields: DappFields): Promise<void> => {
    try {
      const icon = await upload('icon', documentEndpoints.uploadIcon, fields.icon);
      const wasm = await upload('wasm', documentEndpoints.uploadWasm, fields.wasm);
      setStep({ what: 'dapp' });
      const { name, git_url, description, version, notes, kind, picture } = fields;
      if (dapp !== undefined) {
        await update.mutateAsync(updateOf(dapp, fields, { icon, wasm }));
      } else if (wasm !== undefined) {
        const said = {
          ...(kind !== undefined && { kind }),
          ...(notes !== '' && { notes }),
          ...(picture !== undefined && { picture }),
        };
        await submit.mutateAsync({
          ...(icon !== undefined && { icon }),
          name,
          git_url,
          description,
          wasm,
          version,
          ...said,
        });
      }
    } finally {
      setStep(undefined);
    }
  };

  return { save, step };
}
