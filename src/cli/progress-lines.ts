/** Shows how far long work has come: one line that changes on a terminal, few lines elsewhere, objects for scripts. */
import { escapeInvisible } from '../base/escape-invisible.ts';
import type { UserlandProgress } from '../contract/userland.ts';

export type ProgressLines = {
  progress(progress: UserlandProgress): void;
  /** What a package manager prints; shown where nothing else changes the line. */
  output(text: string): void;
  /** Leaves the changing line behind. */
  end(): void;
};

/** Where lines stay, every one that says more than the last. */
const stepPercent = 25;

export function createProgressLines(
  stream: NodeJS.WriteStream,
  { isJson }: { readonly isJson: boolean },
): ProgressLines {
  const changes = stream.isTTY === true && !isJson;
  let last: UserlandProgress | undefined;
  let isOpen = false;

  function isNews(progress: UserlandProgress): boolean {
    if (changes || last === undefined || last.step !== progress.step || last.mirror !== progress.mirror) return true;
    const from = Math.floor((last.percent ?? 0) / stepPercent);
    return last.percent === undefined
      ? last.text !== progress.text
      : Math.floor((progress.percent ?? 0) / stepPercent) > from;
  }

  return {
    progress(progress) {
      if (!isNews(progress)) return;
      if (changes && last !== undefined && last.step !== progress.step) stream.write('\n');
      last = progress;
      isOpen = changes;
      const line = isJson ? JSON.stringify(progress) : describe(progress, changes ? stream.columns : Infinity);
      stream.write(changes ? `\r\x1b[K${line}` : `${line}\n`);
    },
    output(text) {
      // On a terminal the line says enough, and the failure says the rest.
      if (!changes && !isJson)
        stream.write(
          text
            .split('\n')
            .map((line) => escapeInvisible(line, 'nothing'))
            .join('\n'),
        );
    },
    end() {
      if (isOpen) stream.write('\n');
      isOpen = false;
    },
  };
}

function describe({ step, text, percent, mirror }: UserlandProgress, columns: number): string {
  const figure = percent === undefined ? '    ' : `${percent}%`.padStart(4);
  const from = mirror === undefined ? '' : ` (${mirror})`;
  return escapeInvisible(`${step.padEnd(12)} ${figure}  ${text}${from}`).slice(0, Math.max(20, columns - 1));
}
