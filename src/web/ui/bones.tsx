/** What stands where something is still being loaded: nothing for a moment, then lines in its place. Never a spinner for a page. */
import { usePatience } from './use-patience.ts';

const patienceMs = 200;

export function Bones({ label, count = 3 }: { readonly label: string; readonly count?: number }) {
  const isLate = usePatience(true, patienceMs);
  return (
    <div className="stack bones" aria-busy="true" aria-label={label}>
      {isLate ? Array.from({ length: count }, (_, at) => <span key={at} className="bone" />) : null}
    </div>
  );
}
