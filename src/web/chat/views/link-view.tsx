/** A link of a result, with its true address beside its name. */
import { safeAddress } from '../../markdown/safe-address.ts';
import { Icon } from '../../ui/icon.tsx';
import { exactLine } from '../exact-text.ts';
import { OutputText } from './output-text.tsx';

export function LinkView({ url, title }: { readonly url: string; readonly title: string }) {
  const safe = safeAddress(url);
  if (safe === undefined) return <OutputText text={title === '' ? url : `${title}\n${url}`} />;
  const name = exactLine(title).trim();
  return (
    <p className="one-line link-line">
      <Icon name="globe" isSmall />
      <a href={safe.href} target="_blank" rel="noopener noreferrer nofollow">
        {name === '' ? safe.place : name}
      </a>
      <span className="mono xs muted">{safe.href}</span>
    </p>
  );
}
