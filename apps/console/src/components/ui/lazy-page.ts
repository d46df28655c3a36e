import { createElement, type ReactNode, use } from 'react';

type Page<Props> = (props: Props) => ReactNode;

/** A component of which nobody asks here what it draws: pages know the types of the router, which would ask them for theirs. */
type Loadable<Props> = (props: Props) => void;

/** A component whose code comes later; `preload` asks for it before it is drawn, and never rejects. */
type LazyPage<Props extends object> = Page<Props> & { readonly preload: () => Promise<void> };

/** The code of a component: not asked for, under way, here, or missed by somebody who waited for it. */
class Code<Props> {
  readonly #load: () => Promise<Page<Props>>;
  #page: Page<Props> | undefined;
  #loading: Promise<void> | undefined;
  #isAwaited = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(load: () => Promise<Page<Props>>) {
    this.#load = load;
  }

  /** Asks for the code, unless it is under way or here. Never rejects: a load that nobody waits for says nothing by its failure. */
  readonly preload = (): Promise<void> => {
    this.#loading ??= this.#load().then(
      (page) => {
        this.#page = page;
      },
      (error: unknown) => {
        if (this.#isAwaited) this.#failure = { error };
        this.#isAwaited = false;
        this.#loading = undefined;
      },
    );
    return this.#loading;
  };

  /**
   * The component; undefined while it has to be waited for.
   * @throws what the load that was waited for has failed with; the next time is another attempt
   */
  take(): Page<Props> | undefined {
    if (this.#failure !== undefined) {
      const { error } = this.#failure;
      // React draws what has failed a second time at once.
      setTimeout(() => {
        this.#failure = undefined;
      });
      throw error;
    }
    return this.#page;
  }

  awaited(): Promise<void> {
    this.#isAwaited = true;
    return this.preload();
  }
}

/**
 * A component whose code is loaded when it is drawn first, and again after a failure: whoever catches that may draw it once more. The
 * page is never loaded again from here, since a browser without a connection would put its own error page in its place.
 * @param name under which the module has the component
 */
export function lazyPage<Name extends string, Props extends object>(
  load: () => Promise<Readonly<Record<Name, Loadable<Props>>>>,
  name: Name,
): LazyPage<Props> {
  const code = new Code<Props>(async () => (await load())[name] as Page<Props>);

  function Lazy(props: Props): ReactNode {
    const Loaded = code.take();
    if (Loaded !== undefined) return createElement(Loaded, props);
    use(code.awaited());
    return null;
  }

  return Object.assign(Lazy, { preload: code.preload });
}
