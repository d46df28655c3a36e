import { deployTypeOf, type Template } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { ArrowRight, Box, FileCode2, GitBranch, Globe, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Card } from '../../components/ui/card.tsx';
import { paths } from '../../config/paths.ts';
import { templatesQuery } from '../../features/repository/repositories.ts';
import { templateDraft } from '../../features/repository/templates/template-draft.ts';
import { useAuth } from '../../lib/session/auth-state.ts';
import { configQuery } from '../../lib/shared/public-config.ts';

const cardClass =
  'group flex h-full min-h-36 w-full flex-col gap-2 rounded-card border border-line bg-surface p-4 text-left transition-colors duration-100 hover:border-accent disabled:opacity-55';

interface FaceProps {
  readonly Icon: LucideIcon;
  readonly title: string;
  readonly children: ReactNode;
  readonly action: string;
}

function Face({ Icon, title, children, action }: FaceProps) {
  return (
    <>
      <span className="flex items-center gap-2.5 font-medium">
        <Icon className="size-4.5 shrink-0 text-accent" strokeWidth={1.75} aria-hidden="true" />
        {title}
      </span>
      <span className="text-sm text-pretty text-muted">{children}</span>
      <span className="mt-auto flex items-center gap-1.5 text-sm font-medium text-accent">
        {action}
        <ArrowRight
          className="size-3.5 transition-transform duration-100 group-hover:translate-x-0.5"
          aria-hidden="true"
        />
      </span>
    </>
  );
}

/** Templates where there are some, else the two kinds of app that they would be of. */
function Templates({ templates }: { templates: readonly Template[] }) {
  const navigate = useNavigate();
  const { currentUser } = useAuth();
  const take = (template: Template): void => {
    const deployType = deployTypeOf(template.deploy_type);
    const state = templateDraft(template, currentUser?.username ?? '');
    void navigate({ to: paths.deployNew, search: { deploy_type: deployType }, state });
  };
  return templates.map((template) => (
    <li key={template.id}>
      <button type="button" onClick={() => take(template)} className={cardClass}>
        <Face
          Icon={template.deploy_type === 'STATIC_SITE' ? Globe : FileCode2}
          title={template.title}
          action="Deploy"
        >
          {template.description}
        </Face>
      </button>
    </li>
  ));
}

function Kinds() {
  return (
    <>
      <li>
        <Link to={paths.deployChoice} search={{ type: 'STATIC_SITE' }} className={cardClass}>
          <Face Icon={Globe} title="Static website" action="Choose a repository">
            Pages that are built from git and served by a canister.
          </Face>
        </Link>
      </li>
      <li>
        <Link to={paths.deployChoice} search={{ type: 'MOTOKO' }} className={cardClass}>
          <Face Icon={FileCode2} title="Motoko smart contract" action="Choose a repository">
            A program with storage, compiled from git.
          </Face>
        </Link>
      </li>
    </>
  );
}

/** The templates of the service, if it has any; undefined until that is known, or when nobody wants them. */
export function useFirstTemplates(wanted: boolean): readonly Template[] | undefined {
  const config = useQuery(configQuery);
  const offered = config.data?.git_provider.embedded === true;
  const { data, isError } = useQuery({ ...templatesQuery, enabled: wanted && offered });
  if (config.isError || (config.data && !offered) || isError) return [];
  return data;
}

/**
 * What a new account begins with: an app from a template, from a repository, or an empty canister.
 * @param props.children what comes after it
 */
export function FirstApp({ templates, children }: { templates: readonly Template[]; children?: ReactNode }) {
  return (
    <Card aria-label="Deploy your first app" className="animate-entrance p-5 sm:p-6">
      <h2 className="text-xl font-semibold">Deploy your first app</h2>
      <p className="mt-1 text-sm text-pretty text-muted">
        Take a template, watch it being built, and open it at its own address a minute later.
      </p>
      <ul
        aria-label="Ways to begin"
        className="mt-5 grid grid-cols-[repeat(auto-fit,minmax(min(100%,15rem),1fr))] gap-4"
      >
        {templates.length > 0 ? <Templates templates={templates} /> : <Kinds />}
        <li>
          <Link to={paths.deployChoice} search={{ type: 'STATIC_SITE' }} className={cardClass}>
            <Face Icon={GitBranch} title="Your own repository" action="Choose it">
              One of yours, or any public one: it is built as it is.
            </Face>
          </Link>
        </li>
        <li>
          <Link to={paths.canisters} className={cardClass}>
            <Face Icon={Box} title="An empty canister" action="Create one">
              For your own module, or for the sample that comes with the console.
            </Face>
          </Link>
        </li>
      </ul>
      {children}
    </Card>
  );
}
