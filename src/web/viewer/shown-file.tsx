/** A file that a call shows: opened once, on the pages that show its conversation. The link in the step stays. */
import { lazy, Suspense, useEffect, useState } from 'react';
import type { FileToView } from '../../contract/viewer.ts';
import { useApp, useStore } from '../app/use-app.ts';

const ViewerDialog = lazy(async () => ({ default: (await import('./viewer-dialog.tsx')).ViewerDialog }));

export function ShownFile() {
  const { live, navigation } = useApp();
  const { toView } = useStore(live.state);
  const route = useStore(navigation.route);
  const here = route.page === 'chat' ? route.conversationId : undefined;
  const [shown, setShown] = useState<FileToView>();
  useEffect(() => {
    if (toView !== undefined && toView.conversationId === here) setShown(toView);
    // Only when another one comes: coming back to the conversation opens nothing.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- see above
  }, [toView]);
  if (shown === undefined) return null;
  return (
    <Suspense fallback={null}>
      <ViewerDialog key={shown.id} file={shown} close={() => setShown(undefined)} />
    </Suspense>
  );
}
