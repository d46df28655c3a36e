import { Tooltip as BaseTooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';

interface TooltipProps {
  readonly text: ReactNode;
  readonly side?: 'top' | 'right' | 'bottom' | 'left';
  /** The element it explains; it must be able to take focus, so that the keyboard reaches the text. */
  readonly children: ReactElement<Record<string, unknown>>;
}

export function Tooltip({ text, side = 'top', children }: TooltipProps) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger delay={250} render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner side={side} sideOffset={6} className="z-60">
          <BaseTooltip.Popup
            role="tooltip"
            className="max-w-xs rounded-control bg-ink px-2.5 py-1.5 text-xs text-page shadow-float transition-opacity duration-100 data-starting-style:opacity-0 data-ending-style:opacity-0"
          >
            {text}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}
