import { Component, memo, type ReactNode } from 'react';
import { Box, Text } from 'ink';
import type { Painted } from './paint.ts';

/** Blanks at the end stand outside of colours (see `cell`). */
const trimBlanks = (text: Painted): Painted => text.trimEnd() as Painted;

/** One screen line, already as wide as its place: Ink neither measures colours nor wraps it. */
const Line = memo(({ text }: { text: Painted }): ReactNode => (
  <Text wrap="truncate">{text === '' ? ' ' : text}</Text>
));

/**
 * Lines at a place of the screen. Later siblings cover earlier ones where they have text: `solid` lines keep the blanks
 * at their ends for that. The others leave them off, for Ink takes every character apart in every frame.
 */
export const Lines = ({
  left,
  top,
  width,
  lines,
  solid = false,
}: {
  left: number;
  top: number;
  width: number;
  lines: readonly Painted[];
  solid?: boolean;
}): ReactNode => (
  <Box position="absolute" left={left} top={top} width={width} height={lines.length} flexDirection="column">
    {lines.map((text, index) => (
      // The place on the screen is a line's identity.
      // oxlint-disable-next-line react/no-array-index-key
      <Line key={index} text={solid ? text : trimBlanks(text)} />
    ))}
  </Box>
);

interface BoundaryProps {
  /** A new one gives the part another try. */
  attempt: unknown;
  /** What to draw in place of the part that threw. */
  fallback(error: Error): ReactNode;
  children: ReactNode;
}

/** A fault in drawing one pane stays in that pane: the others, the clock and the keys go on. */
export class Boundary extends Component<BoundaryProps, { error?: Error; attempt?: unknown }> {
  override state: { error?: Error; attempt?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: BoundaryProps, state: { error?: Error; attempt?: unknown }) {
    return props.attempt === state.attempt ? null : { attempt: props.attempt, error: undefined };
  }

  override render(): ReactNode {
    return this.state.error ? this.props.fallback(this.state.error) : this.props.children;
  }
}
