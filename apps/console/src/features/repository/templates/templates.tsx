import type { DeployType, Template } from '@cannery/contract';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/ui/button.tsx';
import { Card, CardHeader } from '../../../components/ui/card.tsx';
import { Skeleton } from '../../../components/ui/skeleton.tsx';
import { deployTypeTag } from '../../../lib/text/deploy-type-text.ts';
import { templatesQuery } from '../repositories.ts';
import { TemplatePicture } from './template-picture.tsx';

/** The templates of a deploy type, and the others; where none is of the type, all are offered. */
export function templatesFor(
  list: readonly Template[],
  deployType: string,
): { readonly fitting: readonly Template[]; readonly others: readonly Template[] } {
  const fitting = list.filter(({ deploy_type }) => deploy_type === deployType);
  if (fitting.length === 0) return { fitting: list, others: [] };
  return { fitting, others: list.filter((template) => !fitting.includes(template)) };
}

function TemplateCard({ template, onUse }: { template: Template; onUse: () => void }) {
  const { title, description, deploy_type } = template;
  return (
    <li className="flex flex-col overflow-hidden rounded-card border border-line transition-colors duration-100 hover:border-control">
      <TemplatePicture template={template} />
      <div className="flex flex-1 flex-col gap-1 border-t border-line p-4">
        <p className="font-medium">
          {title}
          <span className="ml-2 text-xs font-normal text-muted">{deployTypeTag(deploy_type)}</span>
        </p>
        <p className="text-sm text-pretty text-muted">{description}</p>
        <div className="mt-auto pt-3">
          <Button size="small" onClick={onUse}>
            Use template
          </Button>
        </div>
      </div>
    </li>
  );
}

/** A card on its way, as tall as one. */
function Loading() {
  return (
    <li className="overflow-hidden rounded-card border border-line">
      <Skeleton className="aspect-[12/5] h-auto w-full rounded-none" />
      <div className="flex flex-col gap-2.5 p-4">
        <Skeleton className="w-1/2" />
        <Skeleton className="w-full" />
        <Skeleton className="w-2/3" />
        <Skeleton className="mt-2 h-8 w-28 max-sm:h-11" />
      </div>
    </li>
  );
}

interface TemplatesProps {
  readonly deployType: DeployType;
  readonly onUse: (template: Template) => void;
}

/** Starter templates: one click leads to the filled form; a repository of the user is made of one when that is sent. */
export function Templates({ deployType, onUse }: TemplatesProps) {
  const { data, isError } = useQuery(templatesQuery);
  if (isError || data?.length === 0) return null;
  const { fitting, others } = templatesFor(data ?? [], deployType);
  return (
    <Card className="animate-entrance">
      <CardHeader title="Start from a template" note="Becomes one of your repositories when you deploy it" />
      <ul
        aria-label="Templates"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,17rem),1fr))] gap-4 px-5 pb-5"
      >
        {data === undefined && (
          <>
            <Loading />
            <Loading />
          </>
        )}
        {[...fitting, ...others].map((template) => (
          <TemplateCard key={template.id} template={template} onUse={() => onUse(template)} />
        ))}
      </ul>
    </Card>
  );
}
