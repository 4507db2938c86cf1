import { Component, type ReactNode } from 'react';

interface Props {
  /** A new one gives the part another try. */
  attempt: unknown;
  /** What to draw in place of the part that threw. */
  fallback(error: Error): ReactNode;
  children: ReactNode;
}

/** A fault in drawing one pane stays in that pane: the others, the clock and the keys go on. */
export class Boundary extends Component<Props, { error?: Error; attempt?: unknown }> {
  override state: { error?: Error; attempt?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: { error?: Error; attempt?: unknown }) {
    return props.attempt === state.attempt ? null : { attempt: props.attempt, error: undefined };
  }

  override render(): ReactNode {
    return this.state.error ? this.props.fallback(this.state.error) : this.props.children;
  }
}
