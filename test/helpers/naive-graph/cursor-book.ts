import { Cursor, Link } from './answer.ts'

const meaningOf = ({ edge, order, position, appScoped }: Cursor): string =>
  JSON.stringify([edge, order, position.time, position.target, appScoped])

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === `${key}`)?.[1]
    : undefined

/**
 * Learns which text the engine gives to which cursor, and holds it to it: one text for one meaning, wherever it stands
 * and whatever else is asked.
 */
export class CursorBook {
  readonly #texts = new Map<string, string>()
  readonly #meanings = new Map<string, string>()

  /** The engine's text of a cursor that it has answered before. */
  textOf(cursor: Cursor): string {
    return this.#texts.get(meaningOf(cursor)) ?? `no cursor was answered for ${meaningOf(cursor)}`
  }

  /** The naive answer in the engine's words: equal to the engine's answer where that is right. */
  translate(naive: unknown, answer: unknown): unknown {
    if (naive instanceof Cursor) return this.#cursor(naive, answer)
    if (naive instanceof Link) return this.#link(naive, answer)
    if (Array.isArray(naive))
      return naive.map((item: unknown, index) => this.translate(item, memberOf(answer, index)))
    if (typeof naive !== 'object' || naive === null) return naive
    return Object.fromEntries(
      Object.entries(naive).map(([name, value]) => [name, this.translate(value, memberOf(answer, name))]),
    )
  }

  #cursor(cursor: Cursor, answered: unknown): string {
    const meaning = meaningOf(cursor)
    if (typeof answered === 'string' && !this.#texts.has(meaning) && !this.#meanings.has(answered)) {
      this.#texts.set(meaning, answered)
      this.#meanings.set(answered, meaning)
    }
    return this.textOf(cursor)
  }

  /** The order of the parameters of a link is the engine's; what they say is not. */
  #link({ path, parameters, cursor: [name, cursor] }: Link, answered: unknown): string {
    const expected = new URLSearchParams(
      Object.fromEntries([...parameters, [name, this.textOf(cursor)] as const]),
    )
    expected.sort()
    const url = new URL(`${answered}`, 'http://graph.test')
    url.searchParams.sort()
    const isRight =
      url.pathname === path && `${url.searchParams}` === `${expected}` && `${answered}`.startsWith('/')
    return isRight ? `${answered}` : `${path}?${expected}`
  }
}
