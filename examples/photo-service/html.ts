/** Markup that {@link html} created. */
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

/** Creates markup from a template. Escapes values unless they are markup, and joins lists. */
export const html = (parts: TemplateStringsArray, ...values: readonly unknown[]): Markup =>
  new Markup(parts.map((part, index) => part + [values[index] ?? ''].flat().map(escaped).join('')).join(''))
