/** A solid of a result. */
import { FileLink } from './files-view.tsx';

export function Model3dView({ path }: { readonly path: string }) {
  return <FileLink path={path} />;
}
