import type { ParsedService } from '@cannery/candid';
import { ChevronRight } from 'lucide-react';
import { Card } from '../../components/ui/card.tsx';
import { CopyButton } from '../../components/ui/copy-button.tsx';
import { useGrowingText } from './reply/use-growing-text.ts';

interface TypeDefinitionsProps {
  readonly service: ParsedService;
  /** The whole interface as the canister publishes it. */
  readonly did: string;
}

/** The whole .did text, and the named types the signatures mention. */
export function TypeDefinitions({ service, did }: TypeDefinitionsProps) {
  const { shown, onScroll } = useGrowingText(did);
  return (
    <Card>
      <details className="group">
        <summary className="flex items-center gap-3 px-5 py-4 hover:bg-ink/3">
          <ChevronRight
            aria-hidden="true"
            className="size-4 text-muted transition-transform duration-100 group-open:rotate-90"
          />
          <span className="font-medium">Interface as text</span>
          {service.types.length > 0 && (
            <span className="text-sm text-muted">
              {service.types.length === 1 ? '1 named type' : `${service.types.length} named types`}
            </span>
          )}
        </summary>
        <div className="relative border-t border-line">
          <span className="absolute top-2 right-3">
            <CopyButton text={did} label="Copy interface" />
          </span>
          <pre
            tabIndex={0}
            aria-label="Interface as text"
            onScroll={onScroll}
            className="max-h-120 overflow-auto px-5 py-4 pr-14 font-mono text-sm"
          >
            {shown}
          </pre>
        </div>
      </details>
    </Card>
  );
}
