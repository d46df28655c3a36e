interface HeardEvent {
  readonly currentTarget: Element;
  readonly target: EventTarget;
}

/**
 * Whether an event happened inside the element that hears it. React also tells an element what happens in the dialogs and menus that it has
 * opened, which are elsewhere in the page.
 */
export function happenedInside({ currentTarget, target }: HeardEvent): boolean {
  return target instanceof Node && currentTarget.contains(target);
}
