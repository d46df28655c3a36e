import type { CreateDeployForm, DeployType, DetectedSiteAnswer, ProjectPlanAnswer } from '@cannery/contract';
import { deployTypeName } from '../../../lib/text/deploy-type-text.ts';

/** Where a fact comes from. */
type Source = 'read' | 'template' | 'chosen' | 'entered' | 'default';

/** Something that decides what a deploy does. */
export interface Fact {
  readonly label: string;
  /** Undefined while it is being read. */
  readonly value: string | undefined;
  readonly source: Source;
  /** Whether the value is a command, a path or a version. */
  readonly isCode?: boolean;
}

interface Draft {
  readonly deployType: DeployType;
  /** Id of the starter template; undefined for a repository. */
  readonly template: string | undefined;
  /** The fields of the form, as they are. */
  readonly fields: Pick<CreateDeployForm, 'build_cmd' | 'publish_dir' | 'root_dir'>;
  /** What the form came filled with. */
  readonly given: Pick<CreateDeployForm, 'build_cmd' | 'publish_dir'>;
  /** What the server has read of the repository; undefined while that is on its way, null where it does not tell. */
  readonly site: DetectedSiteAnswer | undefined | null;
  readonly plan: ProjectPlanAnswer | undefined | null;
}

const WHOLE = 'The whole repository';

/** A field beside what was read: it is the user's as soon as it is another. */
function fieldFact(
  label: string,
  value: string,
  empty: string,
  read: string | undefined,
  draft: Draft,
): Fact {
  const { template, site } = draft;
  const isReading = site === undefined && template === undefined && value === '';
  const same: Source =
    template !== undefined ? 'template' : value === '' && !isSite(site) ? 'default' : 'read';
  return {
    label,
    value: isReading ? undefined : value === '' ? empty : value,
    source: isReading || value === (read ?? '') ? same : 'entered',
    isCode: value !== '',
  };
}

const isSite = (site: Draft['site']): site is DetectedSiteAnswer => site?.framework != null;

function ofSite(draft: Draft): Fact[] {
  const { fields, given, site, template } = draft;
  const read =
    template === undefined
      ? { build: isSite(site) ? site.build_command : '', publish: isSite(site) ? site.publish_directory : '' }
      : { build: given.build_cmd, publish: given.publish_dir };
  const version = site?.node_version ?? null;
  return [
    template === undefined
      ? {
          label: 'Framework',
          value: site === undefined ? undefined : (site?.framework ?? 'None recognised'),
          source: 'read',
        }
      : { label: 'Template', value: template, source: 'template' },
    rootFact(draft),
    fieldFact('Build command', fields.build_cmd, 'None', read.build, draft),
    fieldFact('Output', fields.publish_dir, WHOLE, read.publish, draft),
    {
      label: 'Node.js',
      value:
        site === undefined && template === undefined ? undefined : (version ?? 'The version of this server'),
      source: version === null ? 'default' : 'read',
      isCode: version !== null,
    },
  ];
}

function rootFact({ fields }: Draft): Fact {
  const root = fields.root_dir?.trim() ?? '';
  return root === ''
    ? { label: 'Root directory', value: WHOLE, source: 'default' }
    : { label: 'Root directory', value: root, source: 'entered', isCode: true };
}

function ofProject(draft: Draft): Fact[] {
  const { plan, template } = draft;
  const source = template === undefined ? 'read' : 'template';
  const names = plan?.canisters.filter(({ kind }) => kind !== 'left').map(({ name }) => name);
  const file = plan?.settings_file;
  return [
    template === undefined
      ? {
          label: 'Project file',
          value: plan === undefined ? undefined : (file ?? 'None, its sources tell'),
          source,
          isCode: typeof file === 'string',
        }
      : { label: 'Template', value: template, source },
    rootFact(draft),
    {
      label: 'Canisters',
      value: plan === undefined ? undefined : names?.join(', ') || 'None found',
      source,
      isCode: names !== undefined && names.length > 0,
    },
  ];
}

/** What a deploy of the form would be made of, each with where it comes from. */
export function factsOf(draft: Draft): Fact[] {
  const { deployType, template } = draft;
  const seen = deployType === 'STATIC_SITE' ? draft.site : draft.plan;
  const fits =
    deployType === 'STATIC_SITE'
      ? isSite(draft.site) && draft.site.better_type === undefined
      : draft.plan != null && draft.plan.better_type === undefined;
  return [
    {
      label: 'Type',
      value: deployTypeName(deployType),
      source: template !== undefined ? 'template' : seen === undefined || fits ? 'read' : 'chosen',
    },
    ...(deployType === 'STATIC_SITE' ? ofSite(draft) : ofProject(draft)),
  ];
}

/** Where a fact comes from, for people. @param branch the one that was read */
export function sourceText(source: Source, branch: string): string {
  const texts: Readonly<Record<Source, string>> = {
    read: `read from ${branch}`,
    template: 'from the template',
    chosen: 'chosen by you',
    entered: 'entered by you',
    default: 'default',
  };
  return texts[source];
}
