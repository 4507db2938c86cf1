import { memo, type ReactNode } from 'react';
import { Box, Text } from 'ink';
import type { Painted } from './paint.ts';

/** One screen line, already as wide as its place: Ink neither measures colours nor wraps it. */
const Line = memo(({ text }: { text: Painted }): ReactNode => (
  <Text wrap="truncate">{text === '' ? ' ' : text}</Text>
));

/** Lines at a place of the screen. Later siblings cover earlier ones. */
export const Lines = ({
  left,
  top,
  width,
  lines,
}: {
  left: number;
  top: number;
  width: number;
  lines: readonly Painted[];
}): ReactNode => (
  <Box position="absolute" left={left} top={top} width={width} height={lines.length} flexDirection="column">
    {lines.map((text, index) => (
      // The place on the screen is a line's identity.
      // oxlint-disable-next-line react/no-array-index-key
      <Line key={index} text={text} />
    ))}
  </Box>
);
