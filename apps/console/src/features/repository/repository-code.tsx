import { type RepositoryCode, SHOWN_FILE_BYTES } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { ChevronLeft, CornerDownRight, File, Folder, GitBranch } from 'lucide-react';
import { Fragment } from 'react';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { byteSize } from '../../lib/text/byte-size.ts';
import { instanceDate } from '../../lib/text/formats.ts';
import { toast } from '../../lib/toasts/toast-store.ts';
import { lineCount, visibleCode } from './visible-code.ts';

interface CodeProps {
  readonly code: RepositoryCode;
}

const icons = { file: File, folder: Folder, link: CornerDownRight, submodule: GitBranch } as const;

/** The address of a path of the same commit. */
function placeOf({ owner, name, commit }: RepositoryCode, path: string) {
  const to = '/$owner/$repo/code/$commit/$' as const;
  return { to, params: { owner, repo: name, commit: commit.id, _splat: path } };
}

/** The folders above a file or folder, each a link, then its name. */
export function CodePath({ code }: CodeProps) {
  const parts = code.path.split('/').filter((part) => part !== '');
  return (
    <nav aria-label="Path" className="min-w-0 font-mono text-sm wrap-anywhere">
      {parts.length === 0 ? (
        <span className="text-muted">{code.name}</span>
      ) : (
        <Link {...placeOf(code, '')} preload={false} className="text-accent hover:underline">
          {code.name}
        </Link>
      )}
      {parts.map((part, place) => {
        const path = parts.slice(0, place + 1).join('/');
        return (
          <Fragment key={path}>
            <span className="text-muted"> / </span>
            {place === parts.length - 1 ? (
              <span aria-current="page">{visibleCode(part)}</span>
            ) : (
              <Link {...placeOf(code, path)} preload={false} className="text-accent hover:underline">
                {visibleCode(part)}
              </Link>
            )}
          </Fragment>
        );
      })}
    </nav>
  );
}

/** The commit that is looked at. */
export function CodeCommit({ code: { owner, name, commit } }: CodeProps) {
  return (
    <Card className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-3">
      <span className="font-mono text-sm text-muted">{commit.id.slice(0, 7)}</span>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{visibleCode(commit.subject)}</span>
      <span className="min-w-0 text-sm wrap-anywhere text-muted">
        {visibleCode(commit.author)}, {instanceDate(commit.date)}
      </span>
      <Link
        to="/$owner/$repo"
        params={{ owner, repo: name }}
        className="flex items-center gap-1 text-sm text-accent hover:underline"
      >
        <ChevronLeft className="size-4" aria-hidden="true" />
        Repository
      </Link>
    </Card>
  );
}

/** A folder as a list, or a file as its text. */
export function CodeContent({ code }: CodeProps) {
  if (code.kind === 'folder') return <FolderEntries code={code} />;
  return <FileText code={code} />;
}

function FolderEntries({ code }: CodeProps) {
  const { entries, more_entries: more, path } = code;
  const sorted = entries.toSorted((a, b) => Number(b.kind === 'folder') - Number(a.kind === 'folder'));
  return (
    <Card className="pb-3">
      <CardHeader
        title="Files"
        note={more ? `The first ${entries.length}; the rest is a clone away.` : undefined}
      />
      <ul aria-label="Files">
        {sorted.map(({ path: name, kind, size }) => {
          const Icon = icons[kind];
          return (
            <li key={name} className="flex min-h-9 items-center gap-2.5 px-5">
              <Icon className="size-4 shrink-0 text-muted" aria-hidden="true" />
              <Link
                preload={false}
                {...placeOf(code, path === '' ? name : `${path}/${name}`)}
                className="min-w-0 flex-1 py-1 font-mono text-sm break-all hover:text-accent hover:underline"
              >
                {visibleCode(name)}
              </Link>
              <span className="text-sm whitespace-nowrap text-muted">
                {kind === 'file' ? byteSize(size) : kind}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** Why the text of a file is not shown. */
function reasonOf({ kind, size }: RepositoryCode): string {
  if (kind === 'submodule') return 'A submodule: its files are in another repository.';
  return size > SHOWN_FILE_BYTES
    ? 'The file is too large to be shown here; it is a clone away.'
    : 'This is no text.';
}

function FileText({ code }: CodeProps) {
  const { text, size, kind } = code;
  const lines = text === null ? 0 : lineCount(text);
  return (
    <Card>
      <div className="flex min-h-12 items-center gap-3 border-b border-line px-5 py-2 text-sm text-muted">
        <span className="flex-1">
          {text !== null && `${lines} ${lines === 1 ? 'line' : 'lines'}, `}
          {kind === 'submodule' ? kind : byteSize(size)}
          {kind === 'link' && ', a symbolic link to'}
        </span>
        {text !== null && (
          <CopyButton
            text={text}
            label="Copy the file"
            onCopied={() => toast.tell('repository: file copied')}
          />
        )}
      </div>
      {text === null ? (
        <p className="px-5 py-4 text-muted">{reasonOf(code)}</p>
      ) : (
        // One text for all numbers and one for all lines: a file may have as many lines as bytes.
        <div
          tabIndex={0}
          role="region"
          aria-label="Text of the file"
          className="flex overflow-x-auto py-3 font-mono text-sm"
        >
          <pre aria-hidden="true" className="shrink-0 pr-3 pl-5 text-right text-muted select-none">
            {Array.from({ length: lines }, (_, line) => line + 1).join('\n')}
          </pre>
          <pre className="flex-1 pr-5">{visibleCode(text)}</pre>
        </div>
      )}
    </Card>
  );
}
