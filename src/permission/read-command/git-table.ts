/** What git's commands do to the user's work; git(1) and the manuals of its commands. */

/** Global options that take a value in the next word. */
export const globalValues = new Set([
  '-C',
  '-c',
  '--git-dir',
  '--work-tree',
  '--namespace',
  '--super-prefix',
  '--config-env',
  '--exec-path',
  '--attr-source',
  '--list-cmds',
]);

export const globalFlags =
  /^(?:-p|-P|-v|-h|--(?:paginate|no-pager|bare|no-replace-objects|no-lazy-fetch|no-optional-locks|no-advice|literal-pathspecs|glob-pathspecs|noglob-pathspecs|icase-pathspecs|version|help|html-path|man-path|info-path)|--(?:git-dir|work-tree|namespace|super-prefix|config-env|exec-path|attr-source|list-cmds)=[\s\S]*)$/;

/** They write history or leave the machine, whatever their arguments. */
export const always = new Set(
  'commit push reset rebase cherry-pick revert am filter-branch filter-repo update-ref fast-import send-pack http-push send-email imap-send citool gui subtree prune replay quiltimport read-tree checkout-index cvsexportcommit'.split(
    ' ',
  ),
);

/** They do so when an argument fits. */
export const sometimes: Readonly<Record<string, RegExp>> = {
  switch: /^(?:-\w*[fC]\w*|--force|--force-create|--discard-changes)$/,
  stash: /^(?:drop|clear)$/,
  branch: /^(?:-\w*[DfMC]\w*|--force)$/,
  tag: /^(?:-\w*[df]\w*|--delete|--force)$/,
  gc: /^--prune(?:=.*)?$/,
  reflog: /^(?:expire|delete|drop)$/,
  worktree: /^(?:remove|prune|-f|--force)$/,
  submodule: /^(?:deinit|-f|--force)$/,
  notes: /^(?:add|append|edit|copy|merge|prune|remove)$/,
  replace: /^(?:-d|--delete|-f|--force|--edit)$/,
  'symbolic-ref': /^(?:-d|--delete)$/,
  repack: /^-\w*[ad]\w*$/,
  lfs: /^(?:push|prune|migrate)$/,
  svn: /^(?:dcommit|reset|rebase|branch|tag)$/,
  p4: /^(?:submit|rebase)$/,
  remote: /^(?:remove|rm|prune)$/,
  annex: /^(?:drop|dropunused|sync|move)$/,
  flow: /^(?:finish|delete|publish)$/,
};

/** They are tame; any other word may be an alias or a program named `git-…`. */
export const tame = new Set(
  (
    'add annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format ' +
    'checkout cherry clean clone column commit-graph commit-tree config count-objects credential describe diagnose diff diff-files ' +
    'diff-index diff-tree difftool fast-export fetch fetch-pack fmt-merge-msg for-each-ref for-each-repo format-patch fsck gc ' +
    'get-tar-commit-id grep hash-object help index-pack init init-db interpret-trailers instaweb log ls-files ls-remote ls-tree mailinfo mailsplit ' +
    'maintenance merge merge-base merge-file merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects ' +
    'pack-refs patch-id prune-packed pull range-diff reflog refs remote repack replace request-pull rerere restore rev-list rev-parse ' +
    'rm shortlog show show-branch show-index show-ref sparse-checkout stage stash status stripspace submodule switch symbolic-ref ' +
    'tag unpack-file unpack-objects update-index update-server-info var verify-commit verify-pack verify-tag version whatchanged ' +
    'worktree write-tree lfs svn p4 annex flow cola hook'
  ).split(' '),
);

/** Settings whose value git runs, or that make it read settings from elsewhere. Keys are compared in lower case. */
export const commandKeys =
  /^(?:core\.(?:pager|editor|sshcommand|fsmonitor|gitproxy|askpass|alternaterefscommand)|pager\.|sequence\.editor|diff\.external|diff\..+\.(?:command|textconv)|difftool\..*cmd|mergetool\..*cmd|merge\..+\.driver|filter\.|credential\.(?:.+\.)?helper|gpg\.(?:.+\.)?program|gpg\.ssh\.defaultkeycommand|interactive\.difffilter|browser\..*cmd|man\..*cmd|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack)|trailer\..+\.(?:command|cmd)|submodule\..+\.update|tar\..+\.command|sendemail\.(?:smtpserver|.*cmd)|instaweb\.)/;

/** Settings that make git run or obey files of another folder. */
export const folderKeys =
  /^(?:core\.(?:hookspath|worktree|attributesfile)|include\.|includeif\.|init\.templatedir|commit\.template$|protocol\.|url\.)/;
