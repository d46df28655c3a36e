import { isWasmFile } from '@cannery/contract';
import { FolderUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../../components/ui/button.tsx';
import { Card } from '../../../components/ui/card.tsx';
import { Notice } from '../../../components/ui/notice.tsx';
import { ProgressBar } from '../../../components/ui/progress-bar.tsx';
import { serverText } from '../../../lib/api/api-error.ts';
import { partOf, type SentBytes, sentText } from '../../../lib/browser/upload-bytes.ts';
import { byteSize } from '../../../lib/text/byte-size.ts';
import { classNames } from '../../../lib/class-names.ts';
import { type ChosenFiles, UnfitFilesError } from './chosen-files.ts';
import { type PushedRepository, pushFiles } from './push-files.ts';
import { droppedIn, isProject, readDropped, readFolder } from './read-dropped.ts';
import { readZip } from './read-zip.ts';

type Phase =
  | { readonly is: 'open'; readonly problem?: string }
  | { readonly is: 'reading' }
  | { readonly is: 'read'; readonly project: ChosenFiles; readonly problem?: string }
  | { readonly is: 'sending'; readonly project: ChosenFiles; readonly bytes: SentBytes | undefined };

const problemOf = (error: unknown): string =>
  error instanceof UnfitFilesError
    ? error.message
    : serverText(error, 'The connection broke. Nothing was uploaded.');

interface DropOptions {
  /** Whether the git host takes files; elsewhere only modules can be dropped. */
  readonly takesProjects: boolean;
  readonly onWasm: (file: File) => void;
  readonly onPushed: (repository: PushedRepository) => void;
}

/** What a drop on the page does, and how far it has come. */
export function useDrop({ takesProjects, onWasm, onPushed }: DropOptions) {
  const [phase, setPhase] = useState<Phase>({ is: 'open' });
  const [isOver, setIsOver] = useState(false);
  const isBusy = phase.is === 'reading' || phase.is === 'sending';

  const read = async (work: () => Promise<ChosenFiles>): Promise<void> => {
    setPhase({ is: 'reading' });
    try {
      setPhase({ is: 'read', project: await work() });
    } catch (error) {
      setPhase({ is: 'open', problem: problemOf(error) });
    }
  };

  const takeFile = (file: File): void => {
    if (isWasmFile(file)) {
      setPhase({ is: 'open' });
      onWasm(file);
    } else if (takesProjects && /\.zip$/i.test(file.name)) void read(() => readZip(file));
    else {
      const what = takesProjects ? 'a folder, a .zip or a .wasm' : 'a .wasm';
      setPhase({ is: 'open', problem: `'${file.name.slice(0, 80)}' is not ${what} file.` });
    }
  };

  const send = async (project: ChosenFiles): Promise<void> => {
    setPhase({ is: 'sending', project, bytes: undefined });
    try {
      const repository = await pushFiles(project, (sent, total) =>
        setPhase({ is: 'sending', project, bytes: { sent, total } }),
      );
      setPhase({ is: 'open' });
      onPushed(repository);
    } catch (error) {
      setPhase({ is: 'read', project, problem: problemOf(error) });
    }
  };

  return {
    phase,
    isOver,
    takesProjects,
    takeFile,
    takeFolder: (files: readonly File[]) => void read(() => readFolder(files)),
    send: (project: ChosenFiles) => void send(project),
    forget: () => setPhase({ is: 'open' }),
    /** For the part of the page on which something may be dropped. */
    area: {
      onDragOver: (event: React.DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsOver(!isBusy);
      },
      onDragLeave: (event: React.DragEvent<HTMLElement>) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      },
      onDrop: (event: React.DragEvent) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setIsOver(false);
        if (isBusy) return;
        const dropped = droppedIn(event.dataTransfer);
        const [file] = dropped.files;
        if (takesProjects && isProject(dropped)) void read(() => readDropped(dropped));
        else if (file !== undefined) takeFile(file);
      },
    },
  };
}

type Drop = ReturnType<typeof useDrop>;

function Choose({ drop }: { drop: Drop }) {
  const folder = useRef<HTMLInputElement>(null);
  const file = useRef<HTMLInputElement>(null);
  const { takesProjects, takeFile, takeFolder } = drop;
  return (
    <div className="flex flex-wrap justify-center gap-2">
      {takesProjects && (
        <>
          <Button size="small" onClick={() => folder.current?.click()}>
            Choose a folder
          </Button>
          <input
            ref={(input) => {
              folder.current = input;
              if (input) input.webkitdirectory = true;
            }}
            type="file"
            hidden
            aria-label="Folder of a project"
            onChange={({ target }) => {
              const files = [...(target.files ?? [])];
              target.value = '';
              if (files.length > 0) takeFolder(files);
            }}
          />
        </>
      )}
      <Button size="small" onClick={() => file.current?.click()}>
        Choose a file
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label="Archive or module"
        accept={takesProjects ? '.zip,.wasm,application/zip,application/wasm' : '.wasm,application/wasm'}
        onChange={({ target }) => {
          const [chosen] = target.files ?? [];
          target.value = '';
          if (chosen !== undefined) takeFile(chosen);
        }}
      />
    </div>
  );
}

function Project({ drop, project }: { drop: Drop; project: ChosenFiles }) {
  const { phase, send, forget } = drop;
  const { name, files, leftOut } = project;
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const isSending = phase.is === 'sending';
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="wrap-anywhere">
        <b className="font-semibold">{name}</b>{' '}
        <span className="text-sm text-muted">
          {files.length === 1 ? '1 file' : `${files.length} files`}, {byteSize(size)}
        </span>
      </p>
      <p className="text-sm text-pretty text-muted">
        Becomes a new private repository of yours. What it is, and what deploying it costs, is said next.
      </p>
      {leftOut.length > 0 && <p className="text-sm text-muted">Left out: {leftOut.join(', ')}.</p>}
      {phase.is === 'read' && phase.problem !== undefined && (
        <div role="alert">
          <Notice tone="bad" title="The files were not uploaded">
            <p className="wrap-anywhere">{phase.problem}</p>
          </Notice>
        </div>
      )}
      {phase.is === 'sending' && (
        <ProgressBar
          label="Uploading"
          done={phase.bytes && partOf(phase.bytes)}
          amount={phase.bytes && sentText(phase.bytes)}
        />
      )}
      <div className="flex gap-2">
        <Button variant="primary" busy={isSending} onClick={() => send(project)}>
          Upload
        </Button>
        <Button disabled={isSending} onClick={forget}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

/** A folder, an archive or a module to drop anywhere on the page, or to choose. */
export function DropCard({ drop }: { drop: Drop }) {
  const { phase, isOver, takesProjects } = drop;
  const what = takesProjects ? 'a folder, a .zip or a .wasm' : 'a .wasm';
  return (
    <Card aria-label="Files of this computer" className="animate-entrance p-5">
      <h2 className="text-lg font-semibold">From this computer</h2>
      <div
        className={classNames(
          'mt-3 rounded-card border border-dashed p-4 transition-colors duration-100',
          isOver ? 'border-accent bg-accent-soft' : 'border-control',
        )}
      >
        {phase.is === 'open' && (
          <div className="flex flex-col items-center gap-3 text-center">
            <FolderUp
              className={classNames('size-6', isOver ? 'text-accent' : 'text-muted')}
              strokeWidth={1.5}
              aria-hidden="true"
            />
            <p className="text-sm text-pretty text-muted">
              <span className="max-sm:hidden">Drop {what} anywhere on this page.</span>
              <span className="sm:hidden">Choose {what}.</span>
            </p>
            <Choose drop={drop} />
            {phase.problem !== undefined && (
              <p role="alert" className="text-sm text-bad wrap-anywhere">
                {phase.problem}
              </p>
            )}
          </div>
        )}
        {phase.is === 'reading' && <ProgressBar label="Reading the files" done={undefined} />}
        {(phase.is === 'read' || phase.is === 'sending') && <Project drop={drop} project={phase.project} />}
      </div>
    </Card>
  );
}
