import type { RepositoryContent } from '@cannery/contract';
import { Link } from '@tanstack/react-router';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { byteSize } from '../../lib/text/byte-size.ts';
import { instanceDate } from '../../lib/text/formats.ts';

interface ContentProps {
  readonly content: RepositoryContent;
}

/** The files at a branch, and the README. */
export function RepositoryFiles({ content }: ContentProps) {
  const { owner, name, files, more_files: more, readme, commits } = content;
  const commit = commits[0]?.id ?? '';
  return (
    <>
      <Card className="pb-3">
        <CardHeader
          title="Files"
          note={more ? `The first ${files.length}; the rest is a clone away.` : undefined}
        />
        <ul>
          {files.map(({ path, kind, size }) => (
            <li key={path} className="flex min-h-8 items-center justify-between gap-3 px-5">
              <Link
                to="/$owner/$repo/code/$commit/$"
                preload={false}
                params={{ owner, repo: name, commit, _splat: path }}
                className="min-w-0 font-mono text-sm break-all hover:text-accent hover:underline"
              >
                {path}
              </Link>
              <span className="text-sm whitespace-nowrap text-muted">
                {kind === 'file' ? byteSize(size) : kind}
              </span>
            </li>
          ))}
        </ul>
      </Card>
      {readme !== null && (
        <Card className="pb-5">
          <CardHeader title="Readme" />
          <pre className="px-5 font-mono text-sm wrap-anywhere whitespace-pre-wrap">{readme}</pre>
        </Card>
      )}
    </>
  );
}

/** The newest commits of a branch. */
export function RepositoryHistory({ content: { owner, name, commits } }: ContentProps) {
  return (
    <Card className="pb-3">
      <CardHeader title="Last commits" />
      <ul>
        {commits.map(({ id, subject, author, date }) => (
          <li key={id} className="flex min-h-10 flex-wrap items-center gap-x-3 px-5 py-1">
            <Link
              to="/$owner/$repo/code/$commit/$"
              preload={false}
              params={{ owner, repo: name, commit: id, _splat: '' }}
              aria-label={`Files of the commit ${id.slice(0, 7)}`}
              className="font-mono text-sm text-accent hover:underline"
            >
              {id.slice(0, 7)}
            </Link>
            <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{subject}</span>
            <span className="text-sm text-muted">
              {author}, {instanceDate(date)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
