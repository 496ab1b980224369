/**
 * The document as xterm sees it. It writes rules into style elements and style attributes, which the page's content policy
 * forbids; here the same rules go into sheets and declarations made by script, which it allows (CSP 3, 7.4; CSSOM 6.1.2).
 */

export type StrictDocument = {
  readonly document: Document;
  /** Takes its rules away. */
  close(): void;
};

export function createStrictDocument(real: Document): StrictDocument {
  const sheets = new Set<CSSStyleSheet>();

  function createSheetElement(): HTMLElement {
    const element = real.createElement('span');
    element.hidden = true;
    const sheet = new CSSStyleSheet();
    sheets.add(sheet);
    real.adoptedStyleSheets = [...real.adoptedStyleSheets, sheet];
    Object.defineProperty(element, 'textContent', { set: (text: string) => sheet.replaceSync(text) });
    return element;
  }

  function createElement(name: string): HTMLElement {
    if (name === 'style') return createSheetElement();
    const element = real.createElement(name);
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
    close() {
      real.adoptedStyleSheets = real.adoptedStyleSheets.filter((sheet) => !sheets.has(sheet));
    },
  };
}
