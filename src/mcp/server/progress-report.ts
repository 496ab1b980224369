/** Tells a client that asked for it how a call gets on: the newest line, never faster than the client takes it. */

export type Progress = { readonly progress: number; readonly message: string };

export type ProgressReport = {
  /** Never throws and never waits. */
  tell(text: string): void;
  /** Nothing is sent afterwards: a token ends with its request. */
  end(): void;
};

const minGapMs = 100;
const maxChars = 1_000;

export function createProgressReport(send: (progress: Progress) => Promise<void>): ProgressReport {
  let count = 0;
  let waiting: string | undefined;
  let isBusy = false;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;

  return {
    tell(text) {
      const line = newestLine(text);
      if (isEnded || line === '') return;
      waiting = line;
      if (!isBusy) void sendNewest();
    },
    end() {
      isEnded = true;
      clearTimeout(timer);
    },
  };

  async function sendNewest(): Promise<void> {
    if (waiting === undefined || isEnded) return;
    const message = waiting;
    waiting = undefined;
    isBusy = true;
    count += 1;
    try {
      await send({ progress: count, message });
    } catch {
      // The client has gone; its call is being ended elsewhere, and progress is only a courtesy.
      return;
    }
    timer = setTimeout(() => {
      isBusy = false;
      void sendNewest();
    }, minGapMs);
  }
}

function newestLine(text: string): string {
  return text.trimEnd().slice(-maxChars).split('\n').at(-1) ?? '';
}
