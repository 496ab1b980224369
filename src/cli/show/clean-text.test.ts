/** What comes from outside reaches the terminal as text only. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockLines, markdownLines } from './markdown-lines.ts';
import { callLine } from './call-line.ts';
import { cleanLine, cleanOutput, cleanText } from './clean-text.ts';
import { createPalette } from './palette.ts';
import { line, plainText } from './span.ts';
import { outcomeLines } from './view-lines.ts';

const attacks = {
  'clipboard write (OSC 52)': '\u001b]52;c;cHduZWQ=\u0007',
  'hidden link (OSC 8)': '\u001b]8;;http://evil.example\u001b\\harmless\u001b]8;;\u001b\\',
  'window title (OSC 0)': '\u001b]0;title\u0007',
  'cursor move and clear': '\u001b[2J\u001b[H\u001b[10A',
  'C1 controls': '\u009b2J\u009d0;t\u009c\u0090q\u009c',
  'overwritten line': 'safe\rFAKE',
  backspaces: 'rm\b\bls',
  bidirectional: 'a\u202eb\u2066c\u2069',
  'zero width': 'a\u200bb\u2060c\ufeff',
  'tag characters': 'a\u{e0041}\u{e0042}',
  'bell, NUL, delete': '\u0007\u0000\u007f',
  'lone surrogate': 'a\ud800b',
  'line separators': 'a\u2028b\u2029c',
  'device query': '\u001b[c\u001b[6n\u001bP+q\u001b\\',
};

// eslint-disable-next-line no-control-regex
const raw =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069\ufeff\u2028\u2029\u{e0000}-\u{e007f}]|[\ud800-\udbff](?![\udc00-\udfff])/u;

describe('foreign text', () => {
  it.each(Object.entries(attacks))('[A17] %s reaches no terminal from any text', (_, attack) => {
    const shown = [
      cleanText(attack),
      cleanOutput(attack),
      cleanLine(attack),
      ...markdownLines(
        `# ${attack}\n- ${attack}\n\`${attack}\`\n[${attack}](http://x${attack})\n| ${attack} | b |\n|--|--|\n| ${attack} | c |\n\`\`\`${attack}\n${attack}\n`,
        40,
      ).map(plainText),
      plainText(
        callLine(
          { status: 'running', title: attack, summary: attack, durationMs: 1, aside: undefined, hasRun: true },
          60,
        ),
      ),
      ...outcomeLines({ ok: false, text: attack, error: { code: 'failed', message: attack } }, 60).map(plainText),
      ...outcomeLines(
        {
          ok: true,
          text: '',
          view: { kind: 'terminal', command: attack, stdout: attack, stderr: attack, exitCode: 1 },
        },
        60,
      ).map(plainText),
      ...outcomeLines({ ok: true, text: '', view: { kind: 'table', columns: [attack], rows: [[attack]] } }, 60).map(
        plainText,
      ),
      ...outcomeLines(
        { ok: true, text: '', view: { kind: 'files', files: [{ path: attack, snippet: attack }] } },
        60,
      ).map(plainText),
      ...outcomeLines({ ok: true, text: '', view: { kind: 'link', url: attack, title: attack } }, 60).map(plainText),
      ...outcomeLines(
        { ok: true, text: '', view: { kind: 'image', mediaType: 'x', path: attack, alt: attack } },
        60,
      ).map(plainText),
      ...outcomeLines(
        { ok: true, text: '', view: { kind: 'checklist', items: [{ text: attack, status: attack }] } },
        60,
      ).map(plainText),
    ];
    for (const each of shown) expect(each.replaceAll('\n', '')).not.toMatch(raw);
  });

  it('[A17] twin: without cleaning the same bytes would reach the terminal', () => {
    expect(createPalette('plain').paint(line(attacks['clipboard write (OSC 52)']))).toMatch(raw);
  });

  it('[A17] no text of any kind gets a control character through', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        for (const each of [cleanText(text), cleanOutput(text)]) expect(each.replaceAll('\n', '')).not.toMatch(raw);
        for (const each of markdownLines(text, 30)) expect(plainText(each)).not.toMatch(raw);
      }),
    );
  });

  it('emoji, joined scripts and wide spaces stay readable', () => {
    for (const text of ['👨‍👩‍👧 ❤️ 1️⃣', 'می‌خواهم', '全角\u3000空白', 'naïve – “quoted”'])
      expect(cleanText(text)).toBe(text);
    expect(cleanText('10\u00a0km')).toBe('10 km');
    expect(cleanText('ad\u200dmin')).toBe('ad\\u200dmin');
  });

  it('tabs become columns and line ends lines', () => {
    expect(cleanText('a\tb\r\n\tc')).toBe('a   b\n    c');
  });

  it('the colours of a command are dropped and an overwritten line is shown', () => {
    expect(cleanOutput('\u001b[1;31mred\u001b[0m 10%\r100%\u001b[K\r\ndone')).toBe('red 10%\n100%\ndone');
  });

  it('a code block shows what is in it', () => {
    expect(blockLines({ kind: 'code', text: '\u001b[31mx' }, 40).map(plainText)).toEqual(['  \\x1b[31mx']);
  });
});
