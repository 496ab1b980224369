/** Models by the service that offers them, the one in use among them; those whose name fits what was typed. Pure. */
import type { ModelChoice } from '../../contract/handrail.ts';
import type { WebState } from '../../contract/web-api.ts';

export type ModelGroup = { readonly service: string; readonly models: readonly ModelChoice[] };

export function groupModels(
  { model, modelChoices }: Pick<WebState, 'model' | 'modelChoices'>,
  text: string,
): readonly ModelGroup[] {
  const listed = modelChoices.some((each) => each.id === model?.id);
  const own: readonly ModelChoice[] = model === undefined || listed ? [] : [{ id: model.id, source: '', info: model }];
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = [...own, ...modelChoices].filter((each) =>
    words.every((word) => each.id.toLowerCase().includes(word)),
  );
  const groups = Map.groupBy(fitting, ({ id }) => id.slice(0, Math.max(0, id.indexOf('/'))));
  return [...groups]
    .map(([service, models]) => ({
      service,
      // Those that can be had first.
      models: models.toSorted(
        (left, right) => Number(left.problem !== undefined) - Number(right.problem !== undefined),
      ),
    }))
    .sort((left, right) => left.service.localeCompare(right.service));
}
