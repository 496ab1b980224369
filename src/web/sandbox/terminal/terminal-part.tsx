/** Placeholder while this part is being built. */
import type { SandboxPartProps } from '../sandbox-view.tsx';

export function TerminalPart({ conversationId }: SandboxPartProps) {
  return <div className="empty">{conversationId}</div>;
}
