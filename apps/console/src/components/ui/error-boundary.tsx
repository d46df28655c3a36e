import { Component, type ReactNode } from 'react';
import { PageFailure } from './page-failure.tsx';

/** What has failed, and what draws it once more. */
export interface CaughtFailure {
  readonly error: unknown;
  readonly reset: () => void;
}

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** What is shown instead; the failure of a page where it is left out. */
  readonly fallback?: (failure: CaughtFailure) => ReactNode;
}

interface ErrorBoundaryState {
  readonly failure: { readonly error: unknown } | undefined;
}

/** Shows what has failed instead of what it holds; without it the whole page would go white. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failure: undefined };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { failure: { error } };
  }

  readonly #reset = (): void => this.setState({ failure: undefined });

  override render(): ReactNode {
    const { failure } = this.state;
    const { children, fallback } = this.props;
    if (failure === undefined) return children;
    return fallback === undefined ? (
      <PageFailure error={failure.error} />
    ) : (
      fallback({ error: failure.error, reset: this.#reset })
    );
  }
}
