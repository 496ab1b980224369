/** The chat on a terminal: what is done is printed once, what moves is drawn again. All of it comes from the state. */
import { Box, Static, Text, useAnimation, useCursor, useInput, usePaste, useWindowSize } from 'ink';
import { useSyncExternalStore, type ReactNode } from 'react';
import type { Palette } from '../show/palette.ts';
import type { Line } from '../show/span.ts';
import type { Chat } from './chat.ts';
import { frameOf } from './frame.ts';
import { itemLines } from './item-lines.ts';
import { keyPressesOf } from './key-press.ts';

/** Prose wider than this is hard to read. */
const widestText = 110;

export function ChatScreen(props: {
  readonly chat: Chat;
  readonly palette: Palette;
  readonly home: string | undefined;
}): ReactNode {
  const { chat, palette, home } = props;
  const state = useSyncExternalStore(chat.store.follow, chat.store.get);
  const { columns, rows } = useWindowSize();
  const { setCursorPosition } = useCursor();
  useAnimation({ interval: 100, isActive: state.work !== undefined && state.exitCode === undefined });
  useInput((input, key) => {
    for (const press of keyPressesOf(input, key)) chat.press(press);
  });
  usePaste((text) => chat.paste(text));
  const width = Math.max(20, Math.min(widestText, columns - 1));
  const isOver = state.exitCode !== undefined;
  const frame = frameOf(state, { width, rows }, Date.now(), home);
  setCursorPosition(frame.cursor);
  return (
    <>
      <Static items={[...state.screen.items]}>
        {(item, at) => <Lines key={at} lines={itemLines(item, width)} palette={palette} />}
      </Static>
      {isOver ? null : <Lines lines={frame.lines} palette={palette} />}
    </>
  );
}

function Lines(props: { readonly lines: readonly Line[]; readonly palette: Palette }): ReactNode {
  return (
    <Box flexDirection="column">
      {props.lines.map((each, at) => (
        <Text key={at} wrap="truncate-end">
          {props.palette.paint(each) || ' '}
        </Text>
      ))}
    </Box>
  );
}
