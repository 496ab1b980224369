/** What a screen within a conversation may do: be used, wait for the answer to it, or only be looked at. */
import { createContext } from 'react';

export type KaiUi = {
  /** The turn whose screen can be used now. Undefined: none. */
  readonly liveTurnId: string | undefined;
  /** A button of this turn's screen was pressed, and the next screen is not there yet. */
  readonly waiting: { readonly turnId: string; readonly event: string; readonly label: string } | undefined;
  /** Sends what a button says. Resolves with false when it was not taken. */
  submit(message: string): Promise<boolean>;
};

export const KaiUiContext = createContext<KaiUi>({
  liveTurnId: undefined,
  waiting: undefined,
  submit: () => Promise.resolve(false),
});

/** The turn in which something is drawn. */
export const TurnIdContext = createContext('');
