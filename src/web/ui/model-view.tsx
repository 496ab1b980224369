/** A solid (STL) that can be turned; where the browser cannot draw it, that is said. */
import { useEffect, useRef, useState } from 'react';
import { useWords } from '../words/use-words.ts';
import { Button } from './button.tsx';
import { drawModel, type DrawnModel } from './draw-model.ts';
import './model-view.css';

/** A larger one would hold up the page. */
const maxBytes = 100_000_000;

export function ModelView({ address, label }: { readonly address: string; readonly label: string }) {
  const { t } = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const model = useRef<DrawnModel>(undefined);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  useEffect(() => {
    const over = new AbortController();
    const load = async (): Promise<void> => {
      const response = await fetch(address, { signal: over.signal });
      const size = Number(response.headers.get('content-length') ?? 0);
      if (!response.ok || size > maxBytes) throw new Error(`HTTP ${response.status}`);
      const bytes = await response.arrayBuffer();
      if (over.signal.aborted || canvas.current === null) return;
      const colour = getComputedStyle(canvas.current).color;
      model.current = drawModel(canvas.current, bytes, colour);
      setState('ready');
    };
    // Why makes no difference to what can be done: it can be downloaded.
    load().catch(() => over.signal.aborted || setState('failed'));
    return () => {
      over.abort();
      model.current?.close();
      model.current = undefined;
    };
  }, [address]);
  if (state === 'failed') return <p className="xs muted">{t('model3d.failed')}</p>;
  return (
    <div className="model-view" aria-busy={state === 'loading'}>
      <canvas ref={canvas} role="img" aria-label={t('model3d.label', { name: label })} tabIndex={0} />
      <Button isSmall look="ghost" onClick={() => model.current?.reset()}>
        {t('model3d.reset')}
      </Button>
    </div>
  );
}
