/** What can be typed here, and the keys that choose it. */
import { useId, useState, type KeyboardEvent } from 'react';
import type { ToolStatus } from '../../contract/handrail.ts';
import { candidatesFor, type Candidate } from './complete.ts';

export function useCompletion(text: string, tools: readonly ToolStatus[], setText: (text: string) => void) {
  const id = useId();
  const [selected, setSelected] = useState(0);
  const [closedFor, setClosedFor] = useState<string>();
  const candidates: readonly Candidate[] = closedFor === text ? [] : candidatesFor(text, tools);
  const at = Math.min(selected, Math.max(0, candidates.length - 1));
  const choose = (candidate: Candidate): void => {
    setSelected(0);
    setText(candidate.text);
  };
  const press = (event: KeyboardEvent): boolean => {
    const candidate = candidates[at];
    if (candidate === undefined) return false;
    if (event.key === 'Tab' && !event.shiftKey) choose(candidate);
    else if (event.key === 'Enter' && candidate.text.trim() !== text.trim() && /^\/\S*$/.test(text)) choose(candidate);
    else if (event.key === 'ArrowDown') setSelected((at + 1) % candidates.length);
    else if (event.key === 'ArrowUp') setSelected((at + candidates.length - 1) % candidates.length);
    else if (event.key === 'Escape') setClosedFor(text);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  };
  return { id, candidates, at, choose, press };
}
