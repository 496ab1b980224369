import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createWireIds, toWireName } from './wire-names.ts';

describe('toWireName', () => {
  it('leaves a legal name alone', () => {
    expect(toWireName('read_file')).toBe('read_file');
    expect(toWireName('mcp-server_tool-2')).toBe('mcp-server_tool-2');
  });

  it('gives none that a plain object has already', () => {
    for (const name of ['constructor', '__proto__', 'toString']) expect(toWireName(name) in {}).toBe(false);
  });

  it('makes any text a name that every provider takes', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200, unit: 'binary' }), (name) => /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/.test(toWireName(name)))); // prettier-ignore
  });
});

describe('createWireIds', () => {
  it('keeps legal ids, and makes of any others legal ones that differ', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 80 })), (callIds) => {
        const ids = callIds.map(createWireIds());
        expect(new Set(ids).size).toBe(ids.length);
        for (const [at, id] of ids.entries()) {
          expect(id).toMatch(/^[a-zA-Z0-9_-]{1,40}$/);
          const isLegal = /^[a-zA-Z0-9_-]{1,40}$/.test(callIds[at] ?? '');
          if (isLegal && callIds.indexOf(callIds[at] ?? '') === at && !ids.slice(0, at).includes(callIds[at] ?? '')) {
            expect(id).toBe(callIds[at]);
          }
        }
      }),
    );
  });

  it('gives the same history the same ids, also when it has grown', () => {
    const callIds = ['a', 'a', '', 'functions.bash:0', 'x'.repeat(90), 'x'.repeat(91)];
    const before = callIds.map(createWireIds());
    expect([...callIds, 'b'].map(createWireIds()).slice(0, callIds.length)).toEqual(before);
  });
});
