/** Text and pictures of a screen go the way of all text of a model: no HTML, no request, links that say where they lead. */
import { Markdown } from '../markdown/markdown.tsx';

export function SafeText({ text }: { readonly text: string }) {
  // A screen within a screen would be one that nobody closed.
  return <Markdown text={text.replaceAll(/^(```|~~~)\s*kai-ui/gm, '$1json')} />;
}

/** Named, and opened by the person only. */
export function SafeImage({ address, alt }: { readonly address: string; readonly alt: string }) {
  const safeAlt = alt.replaceAll(/[[\]\\]/g, ' ');
  return <Markdown text={`![${safeAlt}](<${address.replaceAll(/[<>\s\\]/g, encodeURIComponent)}>)`} />;
}
