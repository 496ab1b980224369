/** An icon as inline SVG: no request, no mask, the colour of the text. It is decoration; the control that holds it has the name. */
import { iconPaths, type IconName } from './icon-paths.ts';

export function Icon({
  name,
  isSmall = false,
  className = '',
}: {
  readonly name: IconName;
  readonly isSmall?: boolean;
  readonly className?: string;
}) {
  const size = isSmall ? 14 : 16;
  return (
    <svg
      className={`icon ${className}`}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill={name === 'stop' ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={iconPaths[name]} />
    </svg>
  );
}
