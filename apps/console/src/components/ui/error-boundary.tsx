import { Component, type ReactNode } from 'react';
import { PageFailure } from './page-failure.tsx';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
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

  override render(): ReactNode {
    const { failure } = this.state;
    return failure === undefined ? this.props.children : <PageFailure error={failure.error} />;
  }
}
