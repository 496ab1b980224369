/** The nodes of a kai-ui screen, as they are drawn: 28 of them. What a model writes is brought into this form by read-node.ts. */

export type Action =
  | {
      readonly type: 'callback';
      readonly event: string;
      readonly data: Readonly<Record<string, unknown>>;
      /** Ids of inputs. Omitted: all of the screen. */
      readonly collectFrom?: readonly string[];
    }
  /** Shows or hides the node with this id. */
  | { readonly type: 'toggle'; readonly target: string }
  | { readonly type: 'open_url'; readonly url: string }
  | { readonly type: 'copy_to_clipboard'; readonly text: string };

export type Option = { readonly value: string; readonly label: string };

/** A value of an input: one text, several, a number or yes and no. */
export type InputValue = string | number | boolean | readonly string[];

type Content =
  | { readonly type: 'column' | 'row' | 'card' | 'box'; readonly children: readonly ScreenNode[] }
  | { readonly type: 'divider' }
  | { readonly type: 'text'; readonly text: string; readonly style: 'title' | 'heading' | 'body' | 'caption' }
  | { readonly type: 'image'; readonly url: string; readonly alt: string }
  | { readonly type: 'icon'; readonly name: string; readonly label: string }
  | { readonly type: 'code'; readonly code: string; readonly language: string }
  | { readonly type: 'button'; readonly label: string; readonly action: Action | undefined }
  | { readonly type: 'progress'; readonly label: string; readonly value: number | undefined }
  | { readonly type: 'countdown'; readonly label: string; readonly seconds: number }
  | {
      readonly type: 'alert';
      readonly title: string;
      readonly text: string;
      readonly severity: 'info' | 'success' | 'warning' | 'error';
    }
  | {
      readonly type: 'tabs';
      readonly tabs: readonly { readonly label: string; readonly children: readonly ScreenNode[] }[];
    }
  | {
      readonly type: 'accordion';
      readonly title: string;
      readonly isOpen: boolean;
      readonly children: readonly ScreenNode[];
    }
  | { readonly type: 'quote'; readonly text: string; readonly source: string }
  | { readonly type: 'badge'; readonly text: string }
  | { readonly type: 'stat'; readonly label: string; readonly value: string; readonly text: string }
  | { readonly type: 'avatar'; readonly name: string }
  | { readonly type: 'list'; readonly isOrdered: boolean; readonly items: readonly (readonly ScreenNode[])[] }
  | { readonly type: 'table'; readonly headers: readonly string[]; readonly rows: readonly (readonly string[])[] };

export type InputNode = { readonly id: string; readonly label: string; readonly hint: string } & (
  | {
      readonly type: 'text_input';
      readonly value: string;
      readonly placeholder: string;
      readonly isLong: boolean;
      /** For the keyboard of a phone. */
      readonly kind: 'text' | 'number' | 'email' | 'tel' | 'url' | 'date' | 'time';
    }
  | { readonly type: 'checkbox' | 'switch'; readonly value: boolean }
  | { readonly type: 'select' | 'radio_group'; readonly value: string; readonly options: readonly Option[] }
  | {
      readonly type: 'chip_group';
      readonly value: readonly string[];
      readonly options: readonly Option[];
      readonly isMultiple: boolean;
    }
  | {
      readonly type: 'slider';
      readonly value: number;
      readonly min: number;
      readonly max: number;
      readonly step: number;
      readonly unit: string;
    }
);

/** `id`: what a toggle names. */
export type ScreenNode = (Content & { readonly id?: string; readonly isHidden?: boolean }) | InputNode;

export const isInput = (node: ScreenNode): node is InputNode =>
  ['text_input', 'checkbox', 'switch', 'select', 'radio_group', 'chip_group', 'slider'].includes(node.type);
