/**
 * Markdown of a model or of a tool as elements. Its own HTML is text, it loads nothing, and its links say where they lead
 * (SECURITY A38).
 */
import { lazy, memo, Suspense, useMemo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { Bones } from '../ui/bones.tsx';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';
import { CodeBlock } from './code-block.tsx';
import { Formula } from './formula.tsx';
import { prepareMaths } from './prepare-maths.ts';
import { safeAddress } from './safe-address.ts';
import { splitBlocks } from './split-blocks.ts';
import { MathsContext, useMaths } from './use-maths.ts';

/** `isOpen`: more is coming; a caret stands at its end. */
export function Markdown({ text, isOpen = false }: { readonly text: string; readonly isOpen?: boolean }) {
  const blocks = splitBlocks(text);
  return (
    <div className={isOpen ? 'prose open' : 'prose'}>
      {blocks.map((block, at) => (
        // Blocks are only added at the end: their place is their name.
        <Block key={at} text={block} />
      ))}
    </div>
  );
}

const remarkPlugins = [remarkGfm];

const Block = memo(function Block({ text }: { readonly text: string }) {
  const withFormulas = useMemo(() => prepareMaths(text), [text]);
  const maths = useMaths(withFormulas !== undefined);
  return (
    <MathsContext value={maths}>
      <ReactMarkdown
        remarkPlugins={maths?.withMaths ?? remarkPlugins}
        components={components}
        urlTransform={keepAddress}
      >
        {maths === undefined ? text : withFormulas}
      </ReactMarkdown>
    </MathsContext>
  );
});

/** Each element judges its own address. */
const keepAddress = (address: string): string => address;

const components: Components = {
  a: ({ href, children }) => <SafeLink address={href ?? ''}>{children}</SafeLink>,
  img: ({ src, alt }) => <HeldImage address={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  pre: ({ children }) => children,
  code: ({ className, children }) => <Code className={className}>{children}</Code>,
  table: ({ children }) => (
    <div className="scroll-x table-box" tabIndex={0} role="region">
      <table className="table plain">{children}</table>
    </div>
  ),
  // All one level below the turn they stand in: a text may begin with any, and a page leaves none out.
  h1: ({ children }) => <h3 className="h1">{children}</h3>,
  h2: ({ children }) => <h3 className="h2">{children}</h3>,
  h3: ({ children }) => <h3>{children}</h3>,
  h4: ({ children }) => <h3>{children}</h3>,
  h5: ({ children }) => <h3>{children}</h3>,
  h6: ({ children }) => <h3>{children}</h3>,
  input: ({ checked }) => <Icon name={checked === true ? 'check' : 'dots'} isSmall />,
};

const KaiUiBlock = lazy(async () => ({ default: (await import('../kai-ui/kai-ui-block.tsx')).KaiUiBlock }));

function Code({ className, children }: { readonly className: string | undefined; readonly children: ReactNode }) {
  const { t } = useWords();
  const text = typeof children === 'string' ? children : '';
  // The parser's own mark of a formula; the name of a language alone cannot be it.
  const formula = /(?:^|\s)math-(inline|display)(?:\s|$)/.exec(className ?? '')?.[1];
  if (formula !== undefined) return <Formula tex={text.trim()} isDisplay={formula === 'display'} />;
  const language = /language-(\S+)/.exec(className ?? '')?.[1];
  // A block ends with a line end, code within a sentence holds none.
  if (language === undefined && !text.endsWith('\n')) return <code>{children}</code>;
  if (language === 'kai-ui') {
    return (
      <Suspense fallback={<Bones label={t('kai.screen')} />}>
        <KaiUiBlock text={text} />
      </Suspense>
    );
  }
  return <CodeBlock text={text.replace(/\n$/, '')} language={language ?? ''} />;
}

function SafeLink({ address, children }: { readonly address: string; readonly children: ReactNode }) {
  const { t } = useWords();
  const safe = safeAddress(address);
  if (safe === undefined) {
    return (
      <span>
        {children} {address === '' ? null : <code>{address}</code>}
      </span>
    );
  }
  const words = typeof children === 'string' ? children : '';
  const isTold = words === safe.href || words === safe.place || words === address;
  return (
    <>
      <a
        href={safe.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={t('link.leads-to', { address: safe.href })}
      >
        {children}
      </a>
      {isTold ? null : <span className="place"> ({safe.place})</span>}
    </>
  );
}

/** A picture from elsewhere tells its server that it was looked at: it is named, and opened only by the person. */
function HeldImage({ address, alt }: { readonly address: string; readonly alt: string }) {
  const { t } = useWords();
  const safe = safeAddress(address);
  return (
    <span className="held-image">
      <Icon name="image" />
      <span>{alt === '' ? t('image.unnamed') : alt}</span>
      {safe === undefined ? (
        <span className="muted">{t('image.not-loaded')}</span>
      ) : (
        <a href={safe.href} target="_blank" rel="noopener noreferrer nofollow" title={safe.href}>
          {t('image.open', { place: safe.place })}
        </a>
      )}
    </span>
  );
}
