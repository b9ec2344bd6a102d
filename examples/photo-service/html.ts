/** Text that is markup, as {@link html} makes it. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

const ENTITIES: { readonly [character: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (value: unknown): string =>
  value instanceof Markup
    ? value.text
    : String(value).replace(/[&<>"']/g, character => ENTITIES[character] ?? '')

/** Makes markup of a template. What stands in its places is escaped, unless it is markup itself; a list is joined. */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  new Markup(parts.map((part, index) => part + [values[index] ?? ''].flat().map(escaped).join('')).join(''))
