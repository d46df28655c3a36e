import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

/** How long the pointer rests on a button before its tip shows; right after another tip it shows at once. */
const REST_MS = 400;
const JUST_NOW_MS = 300;
/** Pixels between a tip and its button, and between it and the edge of the window. */
const GAP = 6;

/** What marks a button whose accessible name is shown as its tip. */
const MARKED = '[data-tip]';

interface Tip {
  readonly text: string;
  readonly of: Element;
}

function marked(target: EventTarget | null): Element | undefined {
  return target instanceof Element ? (target.closest(MARKED) ?? undefined) : undefined;
}

function tipOf(element: Element): Tip | undefined {
  const text = element.getAttribute('data-tip') || element.getAttribute('aria-label');
  // An open menu says more than the name of its button.
  if (!text || element.matches('[aria-haspopup][aria-expanded="true"]')) return undefined;
  return { text, of: element };
}

/** Follows pointer and focus over the page, and answers the tip to show. */
function useTip(): Tip | undefined {
  const [tip, setTip] = useState<Tip>();
  useEffect(() => {
    let over: Element | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hiddenAt = 0;
    let isShown = false;
    const hide = (): void => {
      clearTimeout(timer);
      if (isShown) hiddenAt = performance.now();
      isShown = false;
      setTip(undefined);
    };
    const show = (element: Element): void => {
      const next = element.isConnected ? tipOf(element) : undefined;
      isShown = next !== undefined;
      setTip(next);
    };
    const enter = ({ target, pointerType }: PointerEvent): void => {
      const element = pointerType === 'touch' ? undefined : marked(target);
      if (element === over) return;
      over = element;
      hide();
      if (element === undefined) return;
      const rest = performance.now() - hiddenAt < JUST_NOW_MS ? 0 : REST_MS;
      timer = setTimeout(() => show(element), rest);
    };
    const focus = ({ target }: FocusEvent): void => {
      const element = marked(target);
      if (element?.matches(':focus-visible')) show(element);
    };
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('pointerover', enter, { signal });
    document.addEventListener('focusin', focus, { signal });
    for (const name of ['focusout', 'pointerdown', 'keydown'] as const) {
      document.addEventListener(name, hide, { signal, capture: true });
    }
    // A stop of the Tab key beyond the edge comes into view by scrolling.
    const follow = (): void => {
      const { activeElement: focused } = document;
      if (isShown && focused?.matches(`${MARKED}:focus-visible`)) show(focused);
      else hide();
    };
    document.addEventListener('scroll', follow, { signal, capture: true, passive: true });
    document.documentElement.addEventListener(
      'pointerleave',
      () => {
        over = undefined;
        hide();
      },
      { signal },
    );
    return () => {
      listeners.abort();
      clearTimeout(timer);
    };
  }, []);
  return tip;
}

/**
 * Shows the names of buttons that have only an icon, to pointer and keyboard: one for the whole page, so that a table of buttons costs no
 * more than one of them. Screen readers have the name already.
 */
export function IconTips() {
  const tip = useTip();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || tip === undefined) return;
    // As wide as its text, wherever it has been before.
    current.style.left = '0';
    const button = tip.of.getBoundingClientRect();
    const { width, height } = current.getBoundingClientRect();
    const middle = button.left + button.width / 2 - width / 2;
    const above = button.top - height - GAP;
    current.style.left = `${Math.max(GAP, Math.min(middle, innerWidth - width - GAP))}px`;
    current.style.top = `${above < GAP ? button.bottom + GAP : above}px`;
  }, [tip]);
  if (tip === undefined) return null;
  return createPortal(
    <div
      ref={box}
      aria-hidden="true"
      data-testid="icon-tip"
      className="pointer-events-none fixed top-0 left-0 z-100 max-w-xs rounded-control bg-ink px-2.5 py-1.5 text-xs text-page shadow-float wrap-anywhere"
    >
      {tip.text}
    </div>,
    document.body,
  );
}
