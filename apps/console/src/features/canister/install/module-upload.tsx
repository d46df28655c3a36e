import { documentEndpoints, inspectionEndpoints, type ModuleInspection } from '@cannery/contract';
import { use, useEffect, useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { ProgressBar } from '../../../components/ui/progress-bar.tsx';
import { ApiError, describeError } from '../../../lib/api/api-error.ts';
import { api } from '../../../lib/api/api.ts';
import { partOf, type SentBytes, sentText } from '../../../lib/browser/upload-bytes.ts';
import {
  type ArgumentDraft,
  ArgumentsContext,
  type LoadArguments,
  openDraft,
} from '../../../lib/shared/argument-draft.ts';

/** A module on the server, and what could be found out about it. */
export interface UploadedModule {
  readonly identifier: string;
  /** Undefined when the inspection failed; the module can be installed all the same. */
  readonly inspection: ModuleInspection | undefined;
  /** Empty inputs for its install arguments; undefined when it does not say which it takes. */
  readonly draft: ArgumentDraft | undefined;
}

type UploadPhase =
  | { readonly phase: 'none' }
  | { readonly phase: 'compiling' }
  | { readonly phase: 'uploading'; readonly bytes: SentBytes }
  | { readonly phase: 'inspecting' }
  | { readonly phase: 'ready'; readonly module: UploadedModule; readonly problem: unknown }
  | { readonly phase: 'failed'; readonly error: unknown };

/** A file to upload, the module that comes with the product, or the identifier of one that is on the server already. */
export type ModuleSource = File | 'sample' | { readonly identifier: string };

async function upload(file: File, signal: AbortSignal, tell: (phase: UploadPhase) => void): Promise<string> {
  tell({ phase: 'uploading', bytes: { sent: 0, total: file.size } });
  const identifier = await api.call(documentEndpoints.uploadWasm, {
    file,
    signal,
    onProgress: (sent, total) => tell({ phase: 'uploading', bytes: { sent, total } }),
  });
  if (identifier !== undefined) return identifier;
  throw ApiError.unreadable(documentEndpoints.uploadWasm.path, 'The answer has no identifier.');
}

async function takeSample(signal: AbortSignal, tell: (phase: UploadPhase) => void): Promise<string> {
  tell({ phase: 'compiling' });
  const identifier = await api.call(documentEndpoints.addSample, { signal });
  if (identifier !== undefined) return identifier;
  throw ApiError.unreadable(documentEndpoints.addSample.path, 'The answer has no identifier.');
}

async function identifierOf(
  source: ModuleSource,
  signal: AbortSignal,
  tell: (phase: UploadPhase) => void,
): Promise<string> {
  if (source === 'sample') return takeSample(signal, tell);
  return source instanceof File ? upload(source, signal, tell) : source.identifier;
}

async function openModule(
  canisterId: string,
  source: ModuleSource,
  load: LoadArguments | undefined,
  signal: AbortSignal,
  tell: (phase: UploadPhase) => void,
): Promise<void> {
  const identifier = await identifierOf(source, signal, tell);
  tell({ phase: 'inspecting' });
  let problem: unknown;
  const inspection = await api
    .call(inspectionEndpoints.inspect, { body: { canister_id: canisterId, identifier }, signal })
    .catch((failure: unknown) => {
      problem = failure;
      return undefined;
    });
  const module = { identifier, inspection, draft: await openDraft(load, inspection?.init_args) };
  tell({ phase: 'ready', module, problem });
}

/** Uploads a chosen module at once, unless it is on the server, and inspects it, so that the dialog can tell what installing it would mean. */
export function useModuleUpload(canisterId: string) {
  const load = use(ArgumentsContext);
  const [state, setState] = useState<UploadPhase>({ phase: 'none' });
  const run = useRef<AbortController>(undefined);
  useEffect(() => () => run.current?.abort(), []);

  /** Starts with a module, dropping the one before; undefined only drops. */
  const choose = (source: ModuleSource | undefined): void => {
    run.current?.abort();
    run.current = undefined;
    setState({ phase: 'none' });
    if (source === undefined) return;
    const abort = new AbortController();
    const tell = (phase: UploadPhase): void => {
      if (!abort.signal.aborted) setState(phase);
    };
    run.current = abort;
    openModule(canisterId, source, load, abort.signal, tell).catch((error: unknown) =>
      tell({ phase: 'failed', error }),
    );
  };

  return { state, choose };
}

/** How far an upload has come, and what went wrong with it. */
export function UploadState({ state, onRetry }: { state: UploadPhase; onRetry: () => void }) {
  switch (state.phase) {
    case 'none':
      return null;
    case 'uploading':
      return <ProgressBar label="Uploading" done={partOf(state.bytes)} amount={sentText(state.bytes)} />;
    case 'compiling':
      return <ProgressBar label="Getting the sample module" done={undefined} />;
    case 'inspecting':
      return <ProgressBar label="Checking the module" done={undefined} />;
    case 'failed': {
      const { reason, nextStep } = describeError(state.error);
      return (
        <Notice tone="bad" title="The file was not uploaded">
          <p className="wrap-anywhere">
            {reason} {nextStep}
          </p>
          <Button size="small" className="mt-2" onClick={onRetry}>
            Try again
          </Button>
        </Notice>
      );
    }
    case 'ready':
      if (state.problem === undefined) return null;
      return (
        <Notice tone="info" title="The module could not be checked">
          <p className="wrap-anywhere text-muted">
            {describeError(state.problem).reason} It can be installed anyway.
          </p>
        </Notice>
      );
  }
}
