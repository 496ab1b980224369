/** A solid of a result, turned by hand; what draws it is loaded with the first one. */
import { lazy, Suspense } from 'react';
import { fileAddress } from '../../api/file-address.ts';
import { useConversationId } from '../conversation-context.ts';
import { exactLine } from '../exact-text.ts';
import { FileLink } from './files-view.tsx';

const ModelView = lazy(async () => ({ default: (await import('../../ui/model-view.tsx')).ModelView }));

export function Model3dView({ path }: { readonly path: string }) {
  const address = fileAddress(useConversationId(), path);
  return (
    <>
      <Suspense fallback={<div className="model-view" />}>
        <ModelView address={address} label={exactLine(path)} />
      </Suspense>
      <FileLink path={path} />
    </>
  );
}
