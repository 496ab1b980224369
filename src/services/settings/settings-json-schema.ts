/** The JSON Schema of settings.json, for editors and for the page that documents every key. */
import { z } from 'zod';
import type { JsonSchema } from '../../contract/model.ts';
import { settingsSchema } from './settings-schema.ts';

export const toolSwitchPattern = '^tool_enabled_[a-z0-9_]+$';

export function settingsJsonSchema(): JsonSchema {
  return {
    ...z.toJSONSchema(settingsSchema, { io: 'input', target: 'draft-2020-12' }),
    title: 'Handrail settings',
    patternProperties: { [toolSwitchPattern]: { type: 'boolean', description: 'Switches one tool on or off.' } },
  };
}
