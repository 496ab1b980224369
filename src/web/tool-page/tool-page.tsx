/** Placeholder while the page is being built. */
import { PageBar } from '../shell/page-bar.tsx';

export function ToolPage({ tool }: { readonly tool: string | undefined }) {
  return <PageBar title={tool ?? ''} />;
}
