/** Placeholder while the page is being built. */
import { PageBar } from '../shell/page-bar.tsx';

export function ActivityPage() {
  return <PageBar title="" />;
}
