/** A picture of a result. */
import { FileLink } from './files-view.tsx';

export function ImageView({ path, alt }: { readonly path: string; readonly alt: string }) {
  return (
    <>
      <FileLink path={path} />
      <p className="xs muted">{alt}</p>
    </>
  );
}
