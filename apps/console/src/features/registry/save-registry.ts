import { documentEndpoints, registryEndpoints, type Registry } from '@cannery/contract';
import type { ApiClient } from '../../lib/api/api-client.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { askOnce } from '../../lib/api/ask-once.ts';
import type { SavingStep } from './registry-steps.ts';

export interface RegistryDraft {
  /** Trimmed. */
  readonly name: string;
  /** Undefined only where an update keeps the stored module. */
  readonly file: File | undefined;
}

/**
 * Uploads the file of a draft, if it has one, and adds a registry or updates the given one.
 * @param tell is told where it stands, the failure included
 * @throws ApiError the service's refusal of either call, or the signal's reason when aborted
 */
export async function saveRegistry(
  api: ApiClient,
  { name, file }: RegistryDraft,
  { entry, signal, tell }: { entry?: Registry; signal: AbortSignal; tell: (step: SavingStep) => void },
): Promise<void> {
  try {
    const identifier = file === undefined ? entry?.wasm_identifier : await upload(api, file, signal, tell);
    tell({ at: 'saving' });
    if (entry === undefined) await add(api, name, identifier ?? '');
    else await update(api, entry.id, name, identifier ?? undefined);
    tell({ at: 'saved' });
  } catch (error) {
    tell(signal.aborted ? { at: 'idle' } : { at: 'failed', error });
    throw error;
  }
}

async function upload(
  api: ApiClient,
  file: File,
  signal: AbortSignal,
  tell: (step: SavingStep) => void,
): Promise<string> {
  tell({ at: 'uploading', sent: 0, total: file.size });
  const identifier = await api.call(documentEndpoints.uploadWasm, {
    file,
    signal,
    onProgress: (sent, total) => tell({ at: 'uploading', sent, total }),
  });
  if (identifier !== undefined) return identifier;
  throw ApiError.unreadable(documentEndpoints.uploadWasm.path, 'The answer has no identifier.');
}

/** An attempt that got no answer is known again by its key: the next one neither doubles nor loses the entry. */
async function add(api: ApiClient, name: string, identifier: string): Promise<void> {
  await askOnce(`add registry ${name} ${identifier}`, (idempotencyKey) =>
    api.call(registryEndpoints.add, { body: { name, identifier }, idempotencyKey }),
  );
}

async function update(
  api: ApiClient,
  id: string,
  name: string,
  identifier: string | undefined,
): Promise<void> {
  await askOnce(`update registry ${id} ${name} ${identifier ?? ''}`, (idempotencyKey) =>
    api.call(registryEndpoints.update, { params: { id }, body: { name, identifier }, idempotencyKey }),
  );
}
