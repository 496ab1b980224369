/** Keeps a fault of one page to that page: the rest of the app goes on, and nothing that was written is lost. */
import { Component, type ReactNode } from 'react';
import { useWords } from '../words/use-words.ts';
import { Button } from '../ui/button.tsx';

type GuardProps = {
  /** Another one is another page, which has not failed. */
  readonly page: string;
  readonly children: ReactNode;
};

/** A class, since React tells only those (https://react.dev/reference/react/Component#catching-rendering-errors-with-an-error-boundary). */
export class PageGuard extends Component<GuardProps, { readonly failedPage: string | undefined }> {
  override state = { failedPage: undefined as string | undefined };

  override componentDidCatch(): void {
    this.setState({ failedPage: this.props.page });
  }

  static getDerivedStateFromError(): { readonly failedPage: string } {
    // Which page it was is known a moment later; until then it is this one, whatever it is called.
    return { failedPage: anyPage };
  }

  override render(): ReactNode {
    const { failedPage } = this.state;
    if (failedPage !== anyPage && failedPage !== this.props.page) return this.props.children;
    return <PageFailed again={() => this.setState({ failedPage: undefined })} />;
  }
}

const anyPage = '\u0000';

function PageFailed({ again }: { readonly again: () => void }) {
  const { t } = useWords();
  return (
    <div className="empty" role="alert">
      <h1>{t('page.failed')}</h1>
      <p>{t('page.failed-text')}</p>
      <div className="row">
        <Button onClick={again}>{t('again')}</Button>
        <Button onClick={() => window.location.reload()}>{t('page.reload')}</Button>
      </div>
    </div>
  );
}
