/** Splits a command's arguments into options and operands, the way getopt does. */
import type { Field } from './expand-word.ts';

/** Letters and names of the options of one command. */
export type OptionTable = {
  /** Letters that take a value, in the same word or the next. */
  readonly values?: string;
  /** Letters whose value, if any, stands in the same word. */
  readonly attached?: string;
  readonly flags?: string;
  /** Long names that take a value, separated by blanks. */
  readonly longValues?: string;
  readonly longFlags?: string;
  /** Options that are not listed count as flags. Only where a wrong guess hides no command. */
  readonly isLenient?: boolean;
};

export type OptionsRead = {
  /** Each option without its dashes, and its value: null when it has none, undefined when it is not known. */
  readonly options: readonly { readonly name: string; readonly value: Field | undefined | null }[];
  readonly operands: readonly (Field | undefined)[];
  /** False when an option is not known, so that operands may be values and the other way round. */
  readonly isCertain: boolean;
};

type Draft = {
  options: { name: string; value: Field | undefined | null }[];
  operands: (Field | undefined)[];
  isCertain: boolean;
};

/** With `stopsAtOperand` everything from the first operand on is an operand: a wrapper's command. */
export function readOptions(
  fields: readonly (Field | undefined)[],
  table: OptionTable,
  stopsAtOperand: boolean,
): OptionsRead {
  const draft: Draft = { options: [], operands: [], isCertain: true };
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index];
    if (field === undefined) {
      draft.isCertain = false;
      draft.operands.push(field);
    } else if (field.text === '--') {
      draft.operands = draft.operands.concat(fields.slice(index + 1));
      break;
    } else if (field.text.startsWith('--')) index += readLong(draft, field, fields[index + 1], table);
    else if (/^-./s.test(field.text)) index += readShort(draft, field, fields[index + 1], table);
    else if (stopsAtOperand) {
      draft.operands = draft.operands.concat(fields.slice(index));
      break;
    } else draft.operands.push(field);
  }
  return draft;
}

/** Returns how many of the following words it took. */
function readLong(draft: Draft, field: Field, next: Field | undefined, table: OptionTable): number {
  const equals = field.text.indexOf('=');
  const given = field.text.slice(2, equals < 0 ? undefined : equals);
  const name = completeName(given, table);
  if (equals >= 0) {
    if (name === undefined && table.isLenient !== true) draft.isCertain = false;
    draft.options.push({ name: name?.name ?? given, value: { ...field, text: field.text.slice(equals + 1) } });
    return 0;
  }
  if (name?.takesValue === true) {
    draft.options.push({ name: name.name, value: next });
    return 1;
  }
  if (name === undefined && table.isLenient !== true) draft.isCertain = false;
  draft.options.push({ name: name?.name ?? given, value: null });
  return 0;
}

/** GNU getopt_long takes any prefix that fits one name only. */
function completeName(given: string, table: OptionTable): { name: string; takesValue: boolean } | undefined {
  const values = table.longValues?.split(' ') ?? [];
  const flags = table.longFlags?.split(' ') ?? [];
  if (values.includes(given)) return { name: given, takesValue: true };
  if (flags.includes(given)) return { name: given, takesValue: false };
  const fittingValues = values.filter((name) => name.startsWith(given));
  const fittingFlags = flags.filter((name) => name.startsWith(given));
  if (fittingValues.length > 0 && fittingFlags.length > 0) return undefined;
  const [name] = [...fittingValues, ...fittingFlags];
  return name === undefined ? undefined : { name, takesValue: fittingValues.length > 0 };
}

function readShort(draft: Draft, field: Field, next: Field | undefined, table: OptionTable): number {
  const { text } = field;
  // `nice -10`, `head -5`: the old spelling of a number.
  if (/^-\d+$/.test(text) && !(table.flags ?? '').includes(text[1] ?? '')) {
    draft.options.push({ name: text.slice(1), value: null });
    return 0;
  }
  for (let index = 1; index < text.length; index += 1) {
    const letter = text[index] ?? '';
    const rest = text.slice(index + 1);
    if (table.values?.includes(letter) === true) {
      draft.options.push({ name: letter, value: rest === '' ? next : { ...field, text: rest } });
      return rest === '' ? 1 : 0;
    }
    if (table.attached?.includes(letter) === true) {
      draft.options.push({ name: letter, value: rest === '' ? null : { ...field, text: rest } });
      return 0;
    }
    if (table.flags?.includes(letter) !== true && table.isLenient !== true) draft.isCertain = false;
    draft.options.push({ name: letter, value: null });
  }
  return 0;
}

export function hasOption(read: OptionsRead, ...names: readonly string[]): boolean {
  return read.options.some((option) => names.includes(option.name));
}
