/** Which model answers next: the one in use, or another that is connected. */
import { useApp, useStore } from '../app/use-app.ts';
import { Icon } from '../ui/icon.tsx';
import { useWords } from '../words/use-words.ts';

export function ModelPicker({
  chosen,
  choose,
}: {
  /** Undefined: the one in use. */
  readonly chosen: string | undefined;
  readonly choose: (model: string | undefined) => void;
}) {
  const { t } = useWords();
  const { serverState } = useApp();
  const state = useStore(serverState);
  if (state === undefined) return null;
  const inUse = state.model?.id;
  const others = state.modelChoices.filter((each) => each.problem === undefined && each.id !== inUse);
  if (inUse === undefined && others.length === 0) return <span className="model none">{t('model.none')}</span>;
  return (
    <label className="model" title={t('model.title')}>
      <Icon name="cpu" />
      <span className="cut" aria-hidden="true">
        {nameOf(chosen ?? inUse ?? t('model.choose'))}
      </span>
      {others.length === 0 ? null : (
        <>
          <Icon name="down" isSmall />
          <select
            aria-label={t('model.label')}
            value={chosen ?? inUse ?? ''}
            onChange={(event) => choose(event.target.value === inUse ? undefined : event.target.value)}
          >
            {inUse === undefined ? (
              <option value="">{t('model.choose')}</option>
            ) : (
              <option value={inUse}>{inUse}</option>
            )}
            {others.map((each) => (
              <option key={each.id} value={each.id}>
                {each.id}
              </option>
            ))}
          </select>
        </>
      )}
    </label>
  );
}

/** `service/model`: the model alone, where there is room for no more. */
const nameOf = (id: string): string => id.slice(id.indexOf('/') + 1);
