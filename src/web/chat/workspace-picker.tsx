/** Where a new chat works: folders of other chats, any other folder, or a fresh one. Fixed with the first thing that is said. */
import { useState } from 'react';
import type { WebState } from '../../contract/web-api.ts';
import { useApp, useStore } from '../app/use-app.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FolderPicker } from '../ui/folder-picker.tsx';
import { Icon } from '../ui/icon.tsx';
import { showPath } from '../words/amounts.ts';
import { useWords } from '../words/use-words.ts';

/** Undefined: as the server was told; null: a fresh folder. */
export type ChosenWorkspace = string | null | undefined;

const mostRecent = 6;

export function WorkspacePicker({
  state,
  chosen,
  choose,
}: {
  readonly state: WebState;
  readonly chosen: ChosenWorkspace;
  readonly choose: (workspace: ChosenWorkspace) => void;
}) {
  const { t } = useWords();
  const [isOpen, setOpen] = useState(false);
  const folder = chosen === undefined ? state.workspace : (chosen ?? undefined);
  return (
    <>
      <Button look="ghost" isSmall aria-haspopup="dialog" title={folder} onClick={() => setOpen(true)}>
        <Icon name="folder" isSmall />
        <span className="cut">{folder === undefined ? t('workspace.fresh') : showPath(folder, state.home)}</span>
        <Icon name="down" isSmall />
      </Button>
      {isOpen ? (
        <WorkspaceDialog
          state={state}
          folder={folder}
          close={() => setOpen(false)}
          choose={(workspace) => {
            choose(workspace);
            setOpen(false);
          }}
        />
      ) : null}
    </>
  );
}

function WorkspaceDialog({
  state,
  folder,
  choose,
  close,
}: {
  readonly state: WebState;
  readonly folder: string | undefined;
  readonly choose: (workspace: ChosenWorkspace) => void;
  readonly close: () => void;
}) {
  const { t } = useWords();
  const { list } = useApp();
  const { conversations } = useStore(list.state);
  const used = conversations.map((each) => each.workspace);
  const recent = [...new Set([...(state.workspace === undefined ? [] : [state.workspace]), ...used])].slice(
    0,
    mostRecent,
  );
  return (
    <Dialog title={t('workspace.title')} close={close} className="workspace-dialog">
      <div className="workspace-choices">
        <ul aria-label={t('workspace.recent')}>
          {recent.map((each) => (
            <li key={each}>
              <button
                type="button"
                className="nav"
                aria-current={each === folder || undefined}
                title={each}
                onClick={() => choose(each)}
              >
                <Icon name="folder" />
                <span className="cut grow mono">{showPath(each, state.home)}</span>
                {each === folder ? <Icon name="check" isSmall /> : null}
              </button>
            </li>
          ))}
          <li>
            <button
              type="button"
              className="nav"
              aria-current={folder === undefined || undefined}
              onClick={() => choose(null)}
            >
              <Icon name="plus" />
              <span className="cut grow">{t('workspace.fresh')}</span>
              {folder === undefined ? <Icon name="check" isSmall /> : null}
            </button>
          </li>
        </ul>
        <details>
          <summary>{t('workspace.other')}</summary>
          <FolderPicker start={folder} choose={choose} />
        </details>
      </div>
    </Dialog>
  );
}
