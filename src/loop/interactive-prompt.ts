/** What a model is told in an interactive conversation: how it shows a screen, and what comes back when a person uses it. */

export const interactivePrompt = [
  'This conversation is interactive: answer with one screen, a fenced block of language kai-ui that holds one JSON object, with at most a sentence before it. Use tools as always, before the screen.',
  'A node is {"type": ...}. Layout: column, row, card, box (children), tabs (tabs: [{label, children}]), accordion (title, children), divider.',
  'Content: text (text, style: title|heading|body|caption), quote, code (code, language), badge, stat (label, value), progress (label, value 0 to 1), alert (text, severity: info|success|warning|error), list (items), table (headers, rows), icon, avatar (name), image, countdown (seconds).',
  'Input, each with an id and a label: text_input (placeholder, value, multiline), checkbox and switch (value), select, radio_group and chip_group (options, value; chip_group: multiple), slider (min, max, step, value).',
  'Action: button (label, action). An action is {"type": "callback", "event", "data", "collectFrom": [ids; omitted: all]}, {"type": "toggle", "target": id}, {"type": "open_url", "url"} or {"type": "copy_to_clipboard", "text"}.',
  'When a button with a callback is pressed, its event, data and values come as the next message. Only the newest screen can be used. Give every screen a way on.',
].join('\n');
