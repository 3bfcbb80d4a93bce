type Properties<Tag extends keyof HTMLElementTagNameMap> = Partial<
  Omit<HTMLElementTagNameMap[Tag], 'style' | 'children'>
>

/** Creates an element with properties and children. Strings become text nodes, never HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties<Tag> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const created = Object.assign(document.createElement(tag), properties)
  created.append(...children)
  return created
}

export const button = (text: string, onclick: () => unknown, properties: Properties<'button'> = {}) =>
  element('button', { type: 'button', onclick, ...properties }, text)

/** Options of a select, by their values. */
export const optionsOf = (values: readonly string[]) =>
  values.map((value) => element('option', { value }, value))

/** A part of the panel. */
export type PanelPart = {
  node: HTMLElement
  /** Shows the present state of the mock. */
  refresh(): Promise<void>
}

/**
 * Runs a control, shows the text that it returns or its error, and refreshes the panel.
 * @param changesPage whether the page has to load its data again
 */
export type RunControl = (control: () => Promise<unknown>, changesPage?: boolean) => Promise<void>
