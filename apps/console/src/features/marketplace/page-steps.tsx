import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '../../components/ui/button.tsx';

interface PageStepsProps {
  /** From 0. */
  readonly page: number;
  readonly hasNext: boolean;
  readonly onPage: (page: number) => void;
}

/** The way to the pages beside; nothing where there is one page only. */
export function PageSteps({ page, hasNext, onPage }: PageStepsProps) {
  if (page === 0 && !hasNext) return null;
  return (
    <nav aria-label="Pages" className="flex items-center justify-center gap-3">
      <Button size="small" disabled={page === 0} onClick={() => onPage(page - 1)}>
        <ChevronLeft className="size-4" aria-hidden="true" />
        Previous
      </Button>
      <span aria-live="polite" className="text-sm text-muted tabular-nums">
        Page {page + 1}
      </span>
      <Button size="small" disabled={!hasNext} onClick={() => onPage(page + 1)}>
        Next
        <ChevronRight className="size-4" aria-hidden="true" />
      </Button>
    </nav>
  );
}
