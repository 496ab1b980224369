/** `handrail demo`: a scripted model, named as such, through the real loop, tools and sandbox. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitCodeOf } from './ask-command.ts';
import type { CommandLine } from './face.ts';
import { createEventPrinter } from './print-events.ts';
import { createStopSignal } from './stop-signal.ts';

export async function demoCommand(face: CommandLine, options: { readonly json?: boolean }): Promise<number> {
  const workspace = await mkdtemp(path.join(tmpdir(), 'handrail-demo-'));
  const handrail = await face.open({ workspace });
  const stop = createStopSignal();
  const printer = createEventPrinter(options.json === true ? 'json' : 'text', process.stdout, process.stderr);
  try {
    if (options.json !== true)
      process.stderr.write(
        `This is a demonstration: the model is a script, the tools, the sandbox (${await handrail.rung()}) and the journal are real.\nFolder: ${workspace}\n\n`,
      );
    const summary = await handrail.ask({
      text: 'Show me what you can do.',
      model: 'demo/script',
      approve: 'none',
      signal: stop.signal,
      onEvent: printer.show,
    });
    await printer.end();
    // Its folder is gone in a moment: nobody could go on with it.
    await handrail.conversations.remove(summary.conversationId);
    return exitCodeOf(summary);
  } finally {
    stop.dispose();
    await handrail.close();
    await rm(workspace, { recursive: true, force: true });
  }
}
