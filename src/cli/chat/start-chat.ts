/** Starts the chat on the terminal and gives back the exit code when the user leaves. */
import { MisuseFailure } from '../../contract/failure.ts';
import { createPalette, paletteKindOf } from '../show/palette.ts';
import { createChat, type Chat, type ChatOptions } from './chat.ts';
import { createTerminalGuard } from './terminal-guard.ts';

/** How long what was stopped may take to end before the chat leaves anyway. */
const windUpMs = 2_000;

/** Rejects with MisuseFailure without a terminal. The caller closes `options.handrail` afterwards. */
export async function startChat(options: ChatOptions): Promise<number> {
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true) {
    throw new MisuseFailure('The chat needs a terminal for input and output. Use `handrail ask "…"` in scripts.');
  }
  const home = process.env['HOME'];
  const chat = createChat({ ...options, ...(home === undefined ? {} : { home }) });
  if (process.env['TERM'] === 'dumb') {
    const { runPlainChat } = await import('./plain-chat.ts');
    return runPlainChat(chat, process.stdin, process.stdout);
  }
  const guard = createTerminalGuard(process.stdin, process.stdout);
  try {
    const [{ render }, { createElement }, { ChatScreen }] = await Promise.all([
      import('ink'),
      import('react'),
      import('./chat-screen.tsx'),
      chat.start(),
    ]);
    const palette = createPalette(paletteKindOf(process.env));
    const app = render(createElement(ChatScreen, { chat, palette, home }), {
      exitOnCtrlC: false,
      patchConsole: false,
      // A terminal is a terminal, also where an environment variable says CI.
      interactive: true,
    });
    void guard.ended.then((code) => chat.leave(code));
    const exitCode = await leaving(chat);
    await app.waitUntilRenderFlush();
    app.unmount();
    await Promise.race([chat.settled(), new Promise((resolve) => setTimeout(resolve, windUpMs).unref())]);
    return exitCode;
  } finally {
    guard.restore();
  }
}

function leaving(chat: Chat): Promise<number> {
  return new Promise((resolve) => {
    const look = (): void => {
      const { exitCode } = chat.store.get();
      if (exitCode === undefined) return;
      stop();
      resolve(exitCode);
    };
    const stop = chat.store.follow(look);
    look();
  });
}
