/** Markup, as {@link html} creates it. */
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

/** Creates markup from a template. Values are escaped unless they are markup; a list is joined. */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  new Markup(parts.map((part, index) => part + [values[index] ?? ''].flat().map(escaped).join('')).join(''))
