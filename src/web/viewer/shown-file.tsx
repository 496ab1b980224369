/** A file that a call shows: opened once by each page that shows its conversation, or comes to it. The link in the step stays. */
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { FileToView } from '../../contract/viewer.ts';
import { useApp, useStore } from '../app/use-app.ts';

const ViewerDialog = lazy(async () => ({ default: (await import('./viewer-dialog.tsx')).ViewerDialog }));

export function ShownFile() {
  const { live, navigation } = useApp();
  const { toView } = useStore(live.state);
  const route = useStore(navigation.route);
  const here = route.page === 'chat' ? route.conversationId : undefined;
  const [shown, setShown] = useState<FileToView>();
  const lastId = useRef<string>(undefined);
  useEffect(() => {
    if (toView === undefined || toView.conversationId !== here || toView.id === lastId.current) return;
    lastId.current = toView.id;
    setShown(toView);
  }, [toView, here]);
  if (shown === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ViewerDialog key={shown.id} file={shown} close={() => setShown(undefined)} />
    </Suspense>
  );
}
