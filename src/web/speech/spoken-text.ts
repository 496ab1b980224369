/** What is read aloud of an answer: its words, in pieces that a voice can take; no code, no marks, no addresses. Pure. */

/** Some voices of browsers stop in the middle of longer ones. */
const mostCharacters = 220;

export function spokenPieces(markdown: string): readonly string[] {
  return wordsOf(markdown).split('\n').flatMap(cutSentences);
}

function wordsOf(markdown: string): string {
  return (
    markdown
      // Code and formulas with lines of their own, also those that still stream.
      .replaceAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:\n {0,3}\1[`~]*[ \t]*$|$(?![\s\S]))/gm, '\n')
      .replaceAll(/^\$\$\n[\s\S]*?(?:\n\$\$[ \t]*$|$(?![\s\S]))/gm, '\n')
      .replaceAll(/!?\[([^\]]{0,500})\]\([^)\s]{0,2000}[^)]{0,500}\)/g, '$1')
      .replaceAll(/\bhttps?:\/\/([^\s/<>]{1,200})\S*/g, '$1')
      .replaceAll(/<[^<>\n]{1,500}>/g, ' ')
      .replaceAll(/`+/g, '')
      // Marks of headings, lists, quotations, tables, rules.
      .replaceAll(/^[ \t]*(?:#{1,6} |[-*+] (?:\[[ xX]\] )?|\d{1,9}[.)] |> ?)+/gm, '')
      .replaceAll(/^[ \t]*[|:\-=*_ ]{3,}$/gm, '')
      .replaceAll(/^[ \t]*\||\|[ \t]*$/gm, '')
      .replaceAll(/ *\| */g, ', ')
      .replaceAll(/(\*\*|__|~~)(?=\S)([^\n]{1,500}?)\1/g, '$2')
      .replaceAll(/(^|[\s(])[*_](?=\S)([^\n*_]{1,500})[*_]/gm, '$1$2')
      .replaceAll(/[ \t]+/g, ' ')
      .replaceAll(/ ?\n\s*/g, '\n')
      .trim()
  );
}

/** At the end of sentences, else at a space: a pause anywhere else would sound like an end. */
function cutSentences(line: string): readonly string[] {
  const pieces: string[] = [];
  let rest = line.trim();
  while (rest.length > mostCharacters) {
    const head = rest.slice(0, mostCharacters);
    const sentence = Math.max(head.lastIndexOf('. '), head.lastIndexOf('! '), head.lastIndexOf('? ')) + 1;
    const space = Math.max(head.lastIndexOf(', ') + 1, head.lastIndexOf(' '));
    const at = sentence > mostCharacters / 3 ? sentence : space > 0 ? space : mostCharacters;
    pieces.push(rest.slice(0, at).trim());
    rest = rest.slice(at).trim();
  }
  return rest === '' ? pieces : [...pieces, rest];
}
