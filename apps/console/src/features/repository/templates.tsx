import type { DeployType, Repository, Template } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button.tsx';
import { Card, CardHeader } from '../../components/ui/card.tsx';
import { Skeleton } from '../../components/ui/skeleton.tsx';
import { deployTypeTag } from '../../lib/text/deploy-type-text.ts';
import { templatesQuery } from './repositories.ts';
import { useTakeTemplate } from './use-take-template.ts';

/** The templates of a deploy type, and the others; where none is of the type, all are offered. */
export function templatesFor(
  list: readonly Template[],
  deployType: string,
): { readonly fitting: readonly Template[]; readonly others: readonly Template[] } {
  const fitting = list.filter(({ deploy_type }) => deploy_type === deployType);
  if (fitting.length === 0) return { fitting: list, others: [] };
  return { fitting, others: list.filter((template) => !fitting.includes(template)) };
}

interface TemplatesProps {
  readonly deployType: DeployType;
  readonly onReady: (repository: Repository, template: Template) => void;
}

/** Starter templates: one click makes a repository of the user and leads on to the filled form. */
export function Templates({ deployType, onReady }: TemplatesProps) {
  const { data, isError } = useQuery(templatesQuery);
  const { take, busyWith } = useTakeTemplate(onReady);
  const [showsAll, setShowsAll] = useState(false);
  if (isError || data?.length === 0) return null;

  const { fitting, others } = templatesFor(data ?? [], deployType);
  const shown = showsAll ? [...fitting, ...others] : fitting;

  return (
    <Card className="animate-entrance">
      <CardHeader title="Start from a template" note="Becomes one of your repositories" />
      <ul aria-label="Templates" className="border-t border-line">
        {data === undefined && (
          <li className="px-5 py-4">
            <Skeleton className="w-2/3" />
          </li>
        )}
        {shown.map((template) => (
          <li
            key={template.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-5 py-3 last:border-0"
          >
            <div className="min-w-0 flex-1 basis-64">
              <p className="font-medium">
                {template.title}
                <span className="ml-2 text-xs font-normal text-muted">
                  {deployTypeTag(template.deploy_type)}
                </span>
              </p>
              <p className="text-sm text-pretty text-muted">{template.description}</p>
            </div>
            <Button
              size="small"
              busy={busyWith === template.id}
              disabled={busyWith !== undefined}
              onClick={() => void take(template)}
            >
              Use template
            </Button>
          </li>
        ))}
      </ul>
      {others.length > 0 && (
        <div className="border-t border-line px-3 py-1.5">
          <Button
            variant="ghost"
            size="small"
            aria-expanded={showsAll}
            onClick={() => setShowsAll((before) => !before)}
          >
            {showsAll ? 'Only templates of this type' : 'Templates of other types'}
          </Button>
        </div>
      )}
    </Card>
  );
}
