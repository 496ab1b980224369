/** How people see a result: by the kind of its view, never by the tool's name. */
import type { View } from '../../../contract/output.ts';
import { ChecklistView } from './checklist-view.tsx';
import { DiffView } from './diff-view.tsx';
import { FilesView } from './files-view.tsx';
import { FormView } from './form-view.tsx';
import { ImageView } from './image-view.tsx';
import { LinkView } from './link-view.tsx';
import { Model3dView } from './model3d-view.tsx';
import { OutputText } from './output-text.tsx';
import { TableView } from './table-view.tsx';
import { TerminalView } from './terminal-view.tsx';

export function ViewOf({ view }: { readonly view: View }) {
  switch (view.kind) {
    case 'text':
      return <OutputText text={view.text} />;
    case 'diff':
      return <DiffView diff={view} />;
    case 'table':
      return <TableView columns={view.columns} rows={view.rows} />;
    case 'files':
      return <FilesView files={view.files} />;
    case 'terminal':
      return <TerminalView view={view} />;
    case 'checklist':
      return <ChecklistView items={view.items} />;
    case 'link':
      return <LinkView url={view.url} title={view.title} />;
    case 'image':
      return <ImageView path={view.path} alt={view.alt} />;
    case 'model3d':
      return <Model3dView path={view.path} />;
    case 'form':
      return <FormView schema={view.schema} />;
  }
}
