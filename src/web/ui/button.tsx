/** Buttons of every kind: one primary per group, secondary, ghost, danger; with or without words. */
import type { ComponentProps, ReactNode } from 'react';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';

type Look = 'primary' | 'secondary' | 'ghost' | 'danger';

type ButtonProps = Omit<ComponentProps<'button'>, 'type'> & {
  readonly look?: Look;
  readonly isSmall?: boolean;
  readonly isBusy?: boolean;
  readonly type?: 'button' | 'submit';
};

/** Busy, it keeps its width and takes no click. */
export function Button({
  look = 'secondary',
  isSmall = false,
  isBusy = false,
  className = '',
  children,
  ...rest
}: ButtonProps & { readonly children: ReactNode }) {
  const classes = ['btn', look === 'secondary' ? '' : look, isSmall ? 'small' : '', className];
  return (
    <button
      type="button"
      {...rest}
      className={classes.filter((each) => each !== '').join(' ')}
      aria-busy={isBusy || undefined}
      disabled={isBusy || rest.disabled}
    >
      {isBusy ? <span>{children}</span> : children}
    </button>
  );
}

/** `label` is its name for everybody: shown when pointed at, read aloud. */
export function IconButton({
  icon,
  label,
  hint,
  className = '',
  ...rest
}: Omit<ButtonProps, 'children'> & {
  readonly icon: IconName;
  readonly label: string;
  /** Shown instead of the label: with the key that does the same. */
  readonly hint?: string;
}) {
  return (
    <Button look="ghost" {...rest} className={`square ${className}`} aria-label={label} title={hint ?? label}>
      <Icon name={icon} />
    </Button>
  );
}
