/** What is missing where commands cannot run in a sandbox, and the command that mends it. */
import type { SandboxReport } from '../../../contract/services.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useWords } from '../../words/use-words.ts';

export function RungProblem({ report }: { readonly report: SandboxReport }) {
  const { t } = useWords();
  // A userland is installed by a button beside this.
  if (report.rung !== undefined || report.reason === undefined || report.lacksUserland === true) return null;
  return (
    <Notice icon="warn" look="bad">
      <p>{t('userland.no-rung', { reason: report.reason })}</p>
      {report.fix === undefined ? null : (
        <p className="row wrap fix">
          <code>{report.fix}</code>
          <CopyButton text={report.fix} label={t('userland.copy-fix')} />
        </p>
      )}
    </Notice>
  );
}
