import { repository, repositoryCode, repositoryContent } from '@cannery/contract';
import { z } from 'zod';
import type { RepositoryWatcher } from '../repository/repository-folder.ts';
import type { GitUser } from '../repository/git-host.ts';
import type { RepositoryHost } from '../repository/repository-host.ts';

/** As long as its user made it: what is no name of anything is answered as that, and the whole request is bounded. */
const text = z.string();
const named = z.object({ owner: text, name: text });
const asked = named.extend({ id: text.optional() });
const known = named.extend({ id: text });

/** Something that a role asks of a git role: what goes there, what comes back, and how it is done there. */
function operation<In extends z.ZodType, Out extends z.ZodType>(
  input: In,
  output: Out,
  perform: (
    host: RepositoryHost,
    user: GitUser,
    input: z.output<In>,
    watcher: RepositoryWatcher,
  ) => Promise<z.input<Out>>,
) {
  return {
    input,
    output,
    /** @throws what `perform` throws; ZodError for an input of another form */
    run: async (host: RepositoryHost, user: GitUser, given: unknown, watcher: RepositoryWatcher) =>
      output.parse(await perform(host, user, input.parse(given), watcher)),
  };
}

/** Everything that is asked of a git role in one request and answered in one text. */
export const operations = {
  list: operation(z.object({}), z.array(repository), (host, user) => host.listRepositories(user)),
  branches: operation(asked, z.array(z.string()), (host, user, input) => host.branches(input, user)),
  find: operation(named, known.nullable(), (host, user, input) => host.find(input, user)),
  identify: operation(asked, known, (host, user, input) => host.identify(input, user)),
  addTemplate: operation(z.object({ template: text }), repository, (host, user, { template }) =>
    host.addTemplate(user, template),
  ),
  remove: operation(asked, z.null(), async (host, user, input, watcher) => {
    await host.remove(user, input, watcher);
    return null;
  }),
  rename: operation(asked.extend({ to: text }), repository, (host, user, { to, ...from }, watcher) =>
    host.rename(user, from, to, watcher),
  ),
  setDefaultBranch: operation(asked.extend({ branch: text }), repository, (host, user, { branch, ...from }) =>
    host.setDefaultBranch(user, from, branch),
  ),
  code: operation(
    z.object({ owner: text, repo: text, commit: text, path: text }),
    repositoryCode,
    (host, user, input) => host.code(input, user),
  ),
  content: operation(
    z.object({ owner: text, repo: text, branch: text.optional() }),
    repositoryContent.omit({ clone_url: true }),
    (host, user, input) => host.content(input, user),
  ),
} as const;

export type OperationName = keyof typeof operations;
export type InputOf<Name extends OperationName> = z.input<(typeof operations)[Name]['input']>;
export type OutputOf<Name extends OperationName> = z.output<(typeof operations)[Name]['output']>;

/** A request for one operation. */
export const callSchema = z.strictObject({
  operation: z.enum(Object.keys(operations) as [OperationName, ...OperationName[]]),
  input: z.unknown(),
});

/** Bytes of a request for an operation: names, and one path. */
export const CALL_BYTES = 64 * 1024;
