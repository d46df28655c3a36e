import type { DeployType, DetectedSiteAnswer, ProjectPlanAnswer } from '@cannery/contract';
import { BookOpenCheck, TriangleAlert } from 'lucide-react';
import { Button } from '../../../components/ui/button.tsx';
import { Spinner } from '../../../components/ui/spinner.tsx';
import { classNames } from '../../../lib/class-names.ts';
import { deployTypeName } from '../../../lib/text/deploy-type-text.ts';

/** What the server has read of a repository; undefined while it reads, null where it does not tell. */
interface Readings {
  readonly site: DetectedSiteAnswer | undefined | null;
  readonly plan: ProjectPlanAnswer | undefined | null;
}

interface ReadingBarProps extends Readings {
  readonly deployType: DeployType;
  readonly onType: (type: DeployType) => void;
}

interface Saying {
  readonly tone: 'busy' | 'ok' | 'warn' | 'plain';
  readonly text: string;
  /** The type that the repository is of, where that is another one. */
  readonly type?: DeployType | undefined;
}

const BUSY: Saying = { tone: 'busy', text: 'Reading the repository' };
const UNKNOWN: Saying = { tone: 'plain', text: 'What the repository is could not be read.' };

function ofSite(site: Readings['site']): Saying {
  if (site === undefined) return BUSY;
  if (site === null) return UNKNOWN;
  const { advice, better_type: type, framework, why } = site;
  if (advice !== null) return { tone: 'warn', text: advice, type };
  if (type !== undefined) {
    const text = 'This is a project of canisters. As a website, its pages alone would be deployed.';
    return { tone: 'warn', text, type };
  }
  return { tone: framework === null ? 'warn' : 'ok', text: `${why}.` };
}

function ofProject(plan: Readings['plan']): Saying {
  if (plan === undefined) return BUSY;
  if (plan === null) return UNKNOWN;
  const { better_type: type, problem, settings_file: file } = plan;
  if (type === 'STATIC_SITE')
    return { tone: 'warn', text: 'There is no canister in this repository, but a website.', type };
  if (type !== undefined)
    return { tone: 'warn', text: 'Some canisters of this repository are not of Motoko.', type };
  if (problem !== null) return { tone: 'warn', text: 'This is not a project that can be deployed as it is.' };
  return { tone: 'ok', text: file ? `The project is described in ${file}.` : 'Its sources were read.' };
}

/**
 * What the repository was recognised as; where that is of another type, offers this one. It is there from the beginning, so that
 * nothing moves when the answer comes.
 */
export function ReadingBar({ deployType, site, plan, onType }: ReadingBarProps) {
  const { tone, text, type } = deployType === 'STATIC_SITE' ? ofSite(site) : ofProject(plan);
  return (
    <div
      role="status"
      className={classNames(
        'flex min-h-17 flex-wrap items-center gap-x-3 gap-y-2 rounded-card border px-4 py-3 text-sm',
        tone === 'warn' ? 'border-warn/40 bg-warn-soft' : 'border-line bg-sunken',
      )}
    >
      {tone === 'busy' && <Spinner label="Reading" className="size-4 shrink-0 text-muted" />}
      {tone === 'ok' && <BookOpenCheck className="size-4 shrink-0 text-ok" aria-hidden="true" />}
      {tone === 'warn' && <TriangleAlert className="size-4 shrink-0 text-warn" aria-hidden="true" />}
      <p
        className={classNames(
          'min-w-0 flex-1 basis-40 wrap-anywhere',
          (tone === 'busy' || tone === 'plain') && 'text-muted',
        )}
      >
        {text}
      </p>
      {type !== undefined && (
        <Button size="small" onClick={() => onType(type)}>
          Change to {deployTypeName(type)}
        </Button>
      )}
    </div>
  );
}
