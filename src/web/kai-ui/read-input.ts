/** The nodes of a screen that a person fills in. Pure. */
import type { InputNode, Option } from './screen-node.ts';
import { flagOf, listOf, numberOf, oneOf, recordOf, textOf, type Written } from './written.ts';

const kinds = ['text', 'number', 'email', 'tel', 'url', 'date', 'time'] as const;

/** Undefined: the type is none of an input. */
export function readInput(type: string, written: Written): InputNode | undefined {
  const label = textOf(written, 'label', 'title', 'name', 'text', 'placeholder');
  const given = textOf(written, 'id', 'key', 'name');
  // Without an id its answer goes by its label.
  const base = { id: given === '' ? label : given, label, hint: textOf(written, 'hint', 'helper', 'description') };
  const options = readOptions(written['options'] ?? written['choices'] ?? written['chips'] ?? written['items']);
  switch (type) {
    case 'text_input':
      return {
        ...base,
        type,
        value: textOf(written, 'value', 'default', 'defaultValue'),
        placeholder: textOf(written, 'placeholder'),
        isLong: (flagOf(written, 'multiline', 'isLong') ?? (numberOf(written, 'lines', 'rows') ?? 1) > 1) === true,
        kind: oneOf(textOf(written, 'inputType', 'kind', 'keyboard', 'keyboardType'), kinds) ?? 'text',
      };
    case 'checkbox':
    case 'switch':
      return { ...base, type, value: flagOf(written, 'checked', 'value', 'selected', 'on', 'default') ?? false };
    case 'select':
    case 'radio_group':
      return {
        ...base,
        type,
        options,
        value: chosen(written, options)[0] ?? (type === 'select' ? (options[0]?.value ?? '') : ''),
      };
    case 'chip_group': {
      const isMultiple =
        flagOf(written, 'multiple', 'multiSelect', 'isMultiple') ?? /multi/i.test(textOf(written, 'selection', 'mode'));
      const value = chosen(written, options);
      return { ...base, type, options, isMultiple, value: isMultiple ? value : value.slice(0, 1) };
    }
    case 'slider':
      return { ...base, type, ...readRange(written), unit: textOf(written, 'unit', 'suffix') };
    default:
      return undefined;
  }
}

function readRange(written: Written) {
  const min = numberOf(written, 'min', 'minimum', 'from') ?? 0;
  const max = Math.max(min, numberOf(written, 'max', 'maximum', 'to') ?? 100);
  const step = numberOf(written, 'step') ?? 1;
  const value = numberOf(written, 'value', 'default', 'defaultValue') ?? min;
  return { min, max, step: step > 0 ? step : 1, value: Math.min(max, Math.max(min, value)) };
}

function readOptions(given: unknown): readonly Option[] {
  return listOf(given).flatMap((each) => {
    const record = recordOf(each);
    if (record === undefined) return each === null ? [] : [{ value: String(each), label: String(each) }];
    const label = textOf(record, 'label', 'text', 'title', 'name', 'value', 'id');
    return label === '' ? [] : [{ label, value: textOf(record, 'value', 'id', 'key') || label }];
  });
}

/** Which are chosen, named by value or by label. */
function chosen(written: Written, options: readonly Option[]): readonly string[] {
  const given = written['value'] ?? written['selected'] ?? written['default'] ?? written['defaultValue'];
  return listOf(given).flatMap((each) => {
    const option = options.find(({ value, label }) => value === String(each) || label === String(each));
    return option === undefined ? [] : [option.value];
  });
}
