/** What this program is, in which version, and how it finds the machine. */
import { useApp, useStore } from '../../app/use-app.ts';

export function AboutPage() {
  const state = useStore(useApp().serverState);
  return <p className="lede">{`Handrail ${state?.version ?? ''}`}</p>;
}
