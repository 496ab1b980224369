/** What happens when a model wants to call this tool: picked for all of its calls, kept as a rule. */
import type { ToolStatus } from '../../../contract/handrail.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-paths.ts';
import { Menu } from '../../ui/menu.tsx';
import { useWords } from '../../words/use-words.ts';
import type { PageSettings } from '../use-settings.ts';
import { changeRule, countOthers, ruleOf, type ToolRule } from './tool-rule.ts';

const choices = ['usual', 'allow', 'ask', 'deny'] as const;

const icons: Readonly<Record<(typeof choices)[number], IconName>> = {
  usual: 'shield',
  allow: 'check',
  ask: 'hand',
  deny: 'x',
};

export function PermissionPick({ tool, settings }: { readonly tool: ToolStatus; readonly settings: PageSettings }) {
  const { t, counted } = useWords();
  const { file } = settings;
  if (file === undefined) return null;
  const rules = {
    deny: settings.list(['permissions', 'deny']),
    ask: settings.list(['permissions', 'ask']),
    allow: settings.list(['permissions', 'allow']),
  };
  const rule = ruleOf(rules, tool);
  const waits = rule !== ruleOf(file.inForce.permissions, tool);
  const others = countOthers(rules, tool);
  const chosen = rule ?? 'usual';
  const words = [t(`tools.rule.${chosen}`), ...(others === 0 ? [] : [counted('tools.rules', others)])].join(' · ');
  const shown = waits ? `${words} · ${t('tools.waits')}` : words;
  const pick = (choice: (typeof choices)[number]): void => {
    const wanted: ToolRule | undefined = choice === 'usual' ? undefined : choice;
    const edits = changeRule(rules, tool, wanted);
    if (edits.length > 0) void settings.change(edits);
  };
  return (
    <Menu
      label={`${t('tools.permission', { tool: tool.title })}: ${shown}`}
      trigger={
        <span className={waits ? 'perm waits' : 'perm'}>
          <Icon name={icons[chosen]} isSmall />
          {shown}
        </span>
      }
      items={choices.map((choice) => ({
        icon: icons[choice],
        label: t(`tools.rule.${choice}`),
        isChosen: choice === chosen,
        choose: () => pick(choice),
      }))}
    />
  );
}
