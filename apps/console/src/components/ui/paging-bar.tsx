import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Page } from '../../lib/table/paging.ts';
import { IconButton } from './icon-button.tsx';
import { SelectBox } from './select-box.tsx';

interface PagingBarProps<Size extends number> {
  readonly page: Page<unknown>;
  readonly total: number;
  /** There are more than `total`, which were not counted. */
  readonly more?: boolean;
  /** What the size counts. */
  readonly sizeLabel?: string;
  readonly sizes: readonly Size[];
  readonly size: Size;
  readonly onPage: (index: number) => void;
  readonly onSize: (size: Size) => void;
}

/** Rows per page, which rows are shown, and the way to the pages beside. */
export function PagingBar<Size extends number>({
  page,
  total,
  more = false,
  sizeLabel = 'Rows per page',
  sizes,
  size,
  onPage,
  onSize,
}: PagingBarProps<Size>) {
  return (
    <div className="flex min-h-11 flex-wrap items-center justify-end gap-x-4 gap-y-1 border-t border-line px-3 py-1 text-sm text-muted">
      <span className="flex items-center gap-1">
        <span aria-hidden="true">{sizeLabel}</span>
        <SelectBox
          aria-label={sizeLabel}
          look="quiet"
          options={sizes.map((entry) => ({ value: String(entry), label: String(entry) }))}
          value={String(size)}
          onChange={(chosen) => {
            const known = sizes.find((entry) => String(entry) === chosen);
            if (known !== undefined) onSize(known);
          }}
        />
      </span>
      <span aria-live="polite">
        {page.first}–{page.last} of {more ? `more than ${total.toLocaleString('en')}` : total}
      </span>
      <span className="flex">
        <IconButton
          size="small"
          label="Previous page"
          disabled={page.index === 0}
          onClick={() => onPage(page.index - 1)}
        >
          <ChevronLeft className="size-4" />
        </IconButton>
        <IconButton
          size="small"
          label="Next page"
          disabled={page.index >= page.count - 1}
          onClick={() => onPage(page.index + 1)}
        >
          <ChevronRight className="size-4" />
        </IconButton>
      </span>
    </div>
  );
}
