/**
 * The document as xterm sees it. It writes rules into style elements and style attributes, which the page's content policy
 * forbids; here the same rules go into sheets and declarations made by script, which it allows (CSP 3, 7.4; CSSOM 6.1.2).
 */

export type StrictDocument = {
  readonly document: Document;
  /** While xterm opens: its viewport makes a style element of the page’s own document, whatever document it was given (6.0.0). */
  during(work: () => void): void;
  /** Takes its rules away. */
  close(): void;
};

export function createStrictDocument(real: Document): StrictDocument {
  const sheets = new Set<CSSStyleSheet>();
  const make = (name: string): HTMLElement => Document.prototype.createElement.call(real, name);

  function createSheetElement(): HTMLElement {
    const element = make('span');
    element.hidden = true;
    const sheet = new CSSStyleSheet();
    sheets.add(sheet);
    real.adoptedStyleSheets = [...real.adoptedStyleSheets, sheet];
    Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
    return element;
  }

  function createElement(name: string): HTMLElement {
    if (name === 'style') return createSheetElement();
    const element = make(name);
    if (name === 'span') {
      element.setAttribute = (attribute: string, value: string) => {
        if (attribute === 'style') element.style.cssText = value;
        else Element.prototype.setAttribute.call(element, attribute, value);
      };
    }
    return element;
  }

  const document = new Proxy(real, {
    get(target, name) {
      if (name === 'createElement') return createElement;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    document,
    during(work) {
      Object.defineProperty(real, 'createElement', { value: createElement, configurable: true });
      try {
        work();
      } finally {
        // The one of its class shows again.
        Reflect.deleteProperty(real, 'createElement');
      }
    },
    close() {
      real.adoptedStyleSheets = real.adoptedStyleSheets.filter((sheet) => !sheets.has(sheet));
    },
  };
}
