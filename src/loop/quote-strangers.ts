/** Text of others in a message to the model: marked as data, in a frame that the text itself cannot end. */

/** How a beginning or an end of the frame may be written in the hope that it is taken for one: with blanks and signs that do not show. */
const forgedMark = new RegExp(
  String.raw`[<\uff1c\ufe64](?=[\s\p{Cf}]*\/?[\s\p{Cf}]*${[...'untrusted'].join(String.raw`\p{Cf}*`)})`,
  'giu',
);

const maxSourceChars = 200;

/** Pure: what a running turn sends and what a restart makes of the journal must be the same bytes. */
export function quoteStrangers(text: string, source: string): string {
  // A name of a file or a server is a stranger's word as well.
  const from = source.replaceAll(/[^\p{L}\p{N} .,:;/_@+~()[\]-]/gu, '_').slice(0, maxSourceChars);
  return `<untrusted from="${from}">\n${text.replaceAll(forgedMark, '&lt;')}\n</untrusted>`;
}
