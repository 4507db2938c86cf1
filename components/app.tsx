import { memo, useEffect, useSyncExternalStore, type ReactNode } from 'react';
import { Box, Text, useApp, useInput, useIsScreenReaderEnabled, usePaste } from 'ink';
import type { PaneHead } from '../src/model/wire.ts';
import type { Console } from './console.ts';
import { detailLines } from './detail-lines.ts';
import { dialogOf } from './dialogs/table.ts';
import { bottomLine, stripLine, tabsLine } from './edge-lines.ts';
import { FINDINGS } from './findings.ts';
import { ruleLine } from './frame.ts';
import { LEAST, type Rect } from './layout.ts';
import { linearLines } from './linear.ts';
import { Boundary, Lines } from './lines.tsx';
import { cell, paintWrapped } from './paint.ts';
import { paneLines, paneLook, type PaneLook } from './pane-lines.ts';
import { boardOf, focusedPane, headOf, rectOf, shownHeads, shownTab, zoomOf, type State } from './state.ts';
import { tokensOf } from './tokens.ts';

/** Lines and overlays have no other identity than their place in the order. */
const inOrder = (_: unknown, index: number): string => String(index);

/** Redrawn only when something in its look changed: a key in one pane costs the others nothing. */
const PaneBox = memo(({ left, top, ...look }: PaneLook & { left: number; top: number }): ReactNode => (
  <Lines left={left} top={top} width={look.width} lines={paneLines(look)} />
));

const brokenPane = (console: Console, title: string, rect: Rect, error: Error): ReactNode => {
  const { theme } = console.ports;
  const rule = ruleLine(theme, title, { text: 'not drawn', style: 'critical' }, rect.width, false);
  const text = `   this pane can't be drawn (${error.message}); the other panes go on. Please report this`;
  return (
    <Lines
      left={rect.left}
      top={rect.top}
      width={rect.width}
      lines={[rule, cell(theme, text, rect.width, 'critical')]}
    />
  );
};

interface ScreenProps {
  console: Console;
  state: State;
}

const Pane = ({ console, state, id }: ScreenProps & { id: string }): ReactNode => {
  const head = headOf(state.data, id);
  const rect = rectOf(state, id);
  if (!head || !rect) return null;
  const fallback = (error: Error): ReactNode => brokenPane(console, head.title, rect, error);
  return (
    <Boundary attempt={head} fallback={fallback}>
      <PaneInside console={console} state={state} rect={rect} head={head} />
    </Boundary>
  );
};

const PaneInside = ({
  console,
  state,
  rect,
  head,
}: ScreenProps & { rect: Rect; head: PaneHead }): ReactNode => (
  <PaneBox left={rect.left} top={rect.top} {...paneLook(console, state, head, rect)} />
);

const Detail = ({ console, state }: ScreenProps): ReactNode => {
  const { detail } = zoomOf(state);
  const at = focusedPane(state, console.lists);
  const lines = detailLines(console.ports.theme, state, at, detail);
  return <Lines left={detail.left} top={detail.top} width={detail.width} lines={lines} />;
};

const Panes = ({ console, state }: ScreenProps): ReactNode => {
  const { ui, data, size } = state;
  if (ui.zoom) {
    const { detail } = zoomOf(state);
    return (
      <>
        <Pane console={console} state={state} id={ui.focus} />
        <Boundary attempt={ui.detail} fallback={(error) => brokenPane(console, 'detail', detail, error)}>
          <Detail console={console} state={state} />
        </Boundary>
      </>
    );
  }
  const layout = boardOf(state);
  const tab = shownTab(ui, data);
  const heads = shownHeads(data);
  const shown = layout.kind === 'tabs' ? heads.filter((head) => head.id === tab) : heads;
  return (
    <>
      <Pane console={console} state={state} id={FINDINGS} />
      {layout.kind === 'tabs' && (
        <Lines
          left={0}
          top={layout.tabs.top}
          width={size.columns}
          lines={[tabsLine(console.ports.theme, data.heads, tab, size.columns)]}
        />
      )}
      {shown.map((head) => (
        <Pane key={head.id} console={console} state={state} id={head.id} />
      ))}
    </>
  );
};

const TooSmall = ({ console, state }: ScreenProps): ReactNode => {
  const { columns, rows } = state.size;
  const text = `faultline needs at least ${LEAST.columns}x${LEAST.rows}, this window is ${columns}x${rows}. Ctrl-C leaves.`;
  // What became of a plan that no longer fits is said here: its message is gone when the window is large again.
  const said = [text, ...(state.ui.toast ? [state.ui.toast.text] : [])];
  const lines = said.flatMap((one) => paintWrapped(console.ports.theme, one, columns));
  return <Lines left={0} top={0} width={columns} lines={lines.slice(0, rows)} />;
};

const Screen = ({ console, state, siteName }: ScreenProps & { siteName: string }): ReactNode => {
  const { size } = state;
  if (size.columns < LEAST.columns || size.rows < LEAST.rows)
    return <TooSmall console={console} state={state} />;
  const { ports, commands, keys } = console;
  const scene = { ports, commands, keys, state: () => state };
  return (
    <>
      <Lines left={0} top={0} width={size.columns} lines={[stripLine(console, state, siteName)]} />
      <Panes console={console} state={state} />
      <Lines left={0} top={size.rows - 1} width={size.columns} lines={[bottomLine(console, state)]} />
      {state.ui.overlays.map((overlay, index) => {
        const cover = dialogOf(overlay).draw(scene, overlay);
        return (
          <Lines
            key={inOrder(overlay, index)}
            left={cover.left}
            top={cover.top}
            width={cover.width}
            lines={cover.lines}
            solid
          />
        );
      })}
    </>
  );
};

interface AppProps {
  console: Console;
  siteName: string;
  /** Does something while the terminal belongs to somebody else. */
  runAside: (work: () => Promise<void>) => Promise<void>;
}

/** The console's root: one listener for keys, one for pastes, one state. */
export const App = ({ console, siteName, runAside: aside }: AppProps): ReactNode => {
  const state = useSyncExternalStore(console.subscribe, console.state);
  const { suspendTerminal } = useApp();
  const linear = useIsScreenReaderEnabled();
  useInput((input, key) => console.press(tokensOf(input, key)));
  usePaste((text) => console.paste(text));
  useEffect(
    () => console.ports.attach((stopped) => suspendTerminal(() => aside(stopped))),
    [console, suspendTerminal, aside],
  );
  if (linear) {
    return (
      <Box flexDirection="column">
        {linearLines(console, state, siteName).map((line, index) => (
          <Text key={inOrder(line, index)}>{line}</Text>
        ))}
      </Box>
    );
  }
  return (
    <Box width={state.size.columns} height={state.size.rows}>
      <Screen console={console} state={state} siteName={siteName} />
    </Box>
  );
};
