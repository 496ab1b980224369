/** What is known of environment variables by their names. */

/** Variables whose value a program takes for a command and runs. */
export const commandVariables =
  /^(?:PROMPT_COMMAND|PAGER|MANPAGER|GIT_PAGER|SYSTEMD_PAGER|EDITOR|VISUAL|FCEDIT|SUDO_EDITOR|GIT_EDITOR|GIT_SEQUENCE_EDITOR|GIT_SSH|GIT_SSH_COMMAND|GIT_PROXY_COMMAND|GIT_EXTERNAL_DIFF|GIT_ASKPASS|SSH_ASKPASS|SUDO_ASKPASS|BROWSER|RSYNC_RSH|CVS_RSH|LESSOPEN|LESSCLOSE|FZF_DEFAULT_COMMAND|MAKE|SHELLOPTS|PERL5DB|LD_AUDIT|BASH_ENV|ENV|PS0|PS1|PS2|PS4)$/;

/** Variables that change what later commands are or do (SECURITY A15): everything but names known to be tame. */
export function isTameVariable(name: string): boolean {
  return (
    /^(?:[a-z_][a-z0-9_]*|LANG|LANGUAGE|LC_[A-Z]+|TZ|CI|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|NODE_ENV|DEBUG|VERBOSE|TERM|RUST_BACKTRACE|RUST_LOG|PORT|HOST)$/.test(
      name,
    ) && !/(?:^|_)proxy$/.test(name)
  );
}
