/**
 * What the settings' pages and the server say to each other about settings.json itself.
 *
 * | method and path | takes | gives |
 * |---|---|---|
 * | GET /api/settings | | WebSettings |
 * | PATCH /api/settings | WebSettingsChange | WebSettings, as it is afterwards |
 * | GET /api/settings/schema | | its JSON Schema: descriptions, defaults and bounds of all keys |
 * | GET /api/rules/meaning | ?rule= | RuleMeaning, or `misuse` with what is wrong with the rule |
 * | GET /api/prompt | | WebPrompt: what a model is told before a conversation |
 * | POST /api/confirmations | WebConfirmation | Done: what was shown is in force |
 *
 * Failures of PATCH: `misuse` for a value that cannot be (its message belongs beside the field), `conflict` when the file was changed
 * meanwhile, `unavailable` when it is damaged or cannot be written.
 */
import type { SettingsEdit, SettingsFile } from './settings-file.ts';

export type WebSettings = SettingsFile;

export type WebSettingsChange = {
  /** Together: all or none. */
  readonly edits: readonly SettingsEdit[];
  /** `WebSettings.hash` of what the page showed. */
  readonly hash: string;
};

/** With the AGENTS.md of the workspace, as it is quoted. */
export type WebPrompt = { readonly text: string };

/** `hash`: `WebState.confirmationHash` of what was shown: what changed meanwhile is not confirmed with it. */
export type WebConfirmation = { readonly hash: string };
