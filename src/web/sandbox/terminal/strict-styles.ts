/**
 * xterm writes rules into style elements and style attributes, which the page's content policy forbids. Here the same rules go
 * into sheets and declarations made by script, which it allows (CSP 3, 7.4; CSSOM 6.1.2). Tried with xterm 6.0.0, which takes
 * the page's own document for both, whatever document it is given.
 */
import type { Terminal } from '@xterm/xterm';

export type StrictStyles = {
  /** In the place of `terminal.open`. */
  open(terminal: Terminal, host: HTMLElement): void;
  /** Takes its rules away. */
  close(): void;
};

/** Of what is inside of xterm: who makes the pieces of a row. */
type Inside = {
  readonly _core?: {
    readonly _renderService?: {
      readonly _renderer?: {
        readonly value?: { readonly _rowFactory?: { _document: Pick<Document, 'createElement'> } };
      };
    };
  };
};

export function createStrictStyles(document: Document): StrictStyles {
  const sheets = new Set<CSSStyleSheet>();
  const create = document.createElement.bind(document);

  function createStyle(): HTMLElement {
    const element = create('span');
    element.hidden = true;
    const sheet = new CSSStyleSheet();
    sheets.add(sheet);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const set = (text: string): void => {
      sheet.replaceSync(text);
    };
    Object.defineProperty(element, 'textContent', { set });
    return element;
  }

  function createPiece(name: string): HTMLElement {
    const element = create(name);
    element.setAttribute = (attribute: string, value: string) => {
      if (attribute === 'style') element.style.cssText = value;
      else Element.prototype.setAttribute.call(element, attribute, value);
    };
    return element;
  }

  return {
    open(terminal, host) {
      const value = (name: string): HTMLElement => (name === 'style' ? createStyle() : create(name));
      Object.defineProperty(document, 'createElement', { value, configurable: true });
      try {
        terminal.open(host);
      } finally {
        Reflect.deleteProperty(document, 'createElement');
      }
      const rows = (terminal as Inside)._core?._renderService?._renderer?.value?._rowFactory;
      // Without it colours of 24 bits are missing, and nothing else.
      if (rows !== undefined) rows._document = { createElement: createPiece } as Pick<Document, 'createElement'>;
    },
    close() {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((sheet) => !sheets.has(sheet));
    },
  };
}
