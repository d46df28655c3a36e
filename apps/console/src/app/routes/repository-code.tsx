import { useLoaderData } from '@tanstack/react-router';
import { CodeCommit, CodeContent, CodePath } from '../../features/repository/repository-code.tsx';
import { RepositoryHeading } from '../../features/repository/repository-heading.tsx';
import { CommitUses } from '../../features/repository/repository-uses.tsx';
import { usePageTitle } from '../../lib/browser/use-page-title.ts';

/** A file or folder of one of the user's repositories, as a commit has it. */
export function RepositoryCodePage() {
  const code = useLoaderData({ from: '/repositories/$owner/$repo/code/$commit/$' });
  const { owner, name, commit, path } = code;
  usePageTitle(`${path === '' ? name : path} at ${commit.id.slice(0, 7)}`);
  return (
    <div className="flex flex-col gap-5">
      <RepositoryHeading owner={owner} name={name} isAbove />
      <CodeCommit code={code} />
      {code.uses && <CommitUses owner={owner} repo={name} uses={code.uses} commit={commit.id} />}
      <CodePath code={code} />
      <CodeContent code={code} />
    </div>
  );
}
