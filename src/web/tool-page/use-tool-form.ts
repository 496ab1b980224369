/** The state of the form of one tool. */
import { useMemo, useState } from 'react';
import type { JsonSchema } from '../../contract/model.ts';
import { readEntered, readFields, type Entered, type Field, type ReadInput } from './read-fields.ts';

type Problems = Extract<ReadInput, { problems: unknown }>['problems'];

export type ToolFormState = {
  readonly fields: readonly Field[];
  readonly entered: Entered;
  readonly problems: Problems;
  enter(name: string, text: string): void;
  readonly isJson: boolean;
  readonly json: string;
  readonly jsonProblem: boolean;
  /** Takes over what was entered the other way, as far as it can be read. */
  showJson(isJson: boolean): void;
  enterJson(text: string): void;
  /** Decided and asked about like a call of a model, instead of taken as allowed. */
  readonly asks: boolean;
  setAsks(asks: boolean): void;
  /** Undefined: something cannot be read, and says so. */
  read(): Readonly<Record<string, unknown>> | undefined;
};

export function useToolForm(schema: JsonSchema): ToolFormState {
  const fields = useMemo(() => readFields(schema), [schema]);
  const [entered, setEntered] = useState<Entered>({});
  const [problems, setProblems] = useState<Problems>({});
  const [isJson, setJsonShown] = useState(false);
  const [json, setJson] = useState('{}');
  const [jsonProblem, setJsonProblem] = useState(false);
  const [asks, setAsks] = useState(true);
  return {
    ...{ fields, entered, problems, isJson, json, jsonProblem, asks, setAsks },
    enter(name, text) {
      setEntered({ ...entered, [name]: text });
      setProblems(Object.fromEntries(Object.entries(problems).filter(([each]) => each !== name)));
    },
    enterJson(text) {
      setJson(text);
      setJsonProblem(false);
    },
    showJson(next) {
      const read = readEntered(fields, entered);
      if (next && 'input' in read) setJson(JSON.stringify(read.input, undefined, 2));
      const object = objectOf(json);
      if (!next && object !== undefined) setEntered(enteredOf(object));
      setJsonShown(next);
    },
    read() {
      if (isJson) {
        const object = objectOf(json);
        setJsonProblem(object === undefined);
        return object;
      }
      const read = readEntered(fields, entered);
      setProblems('problems' in read ? read.problems : {});
      return 'input' in read ? read.input : undefined;
    },
  };
}

function objectOf(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    // Told beside the field.
    return undefined;
  }
}

const enteredOf = (object: Readonly<Record<string, unknown>>): Entered =>
  Object.fromEntries(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? value
        : Array.isArray(value) && value.every((each) => typeof each === 'string')
          ? value.join('\n')
          : JSON.stringify(value),
    ]),
  );
