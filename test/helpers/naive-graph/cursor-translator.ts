import { Cursor, Link } from './result-parts.ts'

const serializeCursor = ({ edge, source, order, position, appScoped, values }: Cursor): string => {
  const { name, by, kind } = order
  const isStored = by !== undefined
  return JSON.stringify([
    edge,
    source,
    [name, isStored, kind === 'number'],
    position.time,
    position.target,
    appScoped,
    values,
  ])
}

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === `${key}`)?.[1]
    : undefined

/**
 * Records the text that the engine returns for each cursor. Requires that a cursor always has the same text,
 * and that a text always means the same cursor.
 */
export class CursorTranslator {
  readonly #texts = new Map<string, string>()
  readonly #meanings = new Map<string, string>()

  /** Returns the text that the engine has returned for a cursor. */
  textOf(cursor: Cursor): string {
    return this.#texts.get(serializeCursor(cursor)) ?? `no cursor was returned for ${serializeCursor(cursor)}`
  }

  /**
   * Replaces cursors and links in a naive result with their texts. The engine's result is correct if it
   * equals the translated result.
   */
  translate(expected: unknown, actual: unknown): unknown {
    if (expected instanceof Cursor) return this.#translateCursor(expected, actual)
    if (expected instanceof Link) return this.#translateLink(expected, actual)
    if (Array.isArray(expected))
      return expected.map((item: unknown, index) => this.translate(item, memberOf(actual, index)))
    if (typeof expected !== 'object' || expected === null) return expected
    return Object.fromEntries(
      Object.entries(expected).map(([name, value]) => [name, this.translate(value, memberOf(actual, name))]),
    )
  }

  #translateCursor(cursor: Cursor, actual: unknown): string {
    const meaning = serializeCursor(cursor)
    if (typeof actual === 'string' && !this.#texts.has(meaning) && !this.#meanings.has(actual)) {
      this.#texts.set(meaning, actual)
      this.#meanings.set(actual, meaning)
    }
    return this.textOf(cursor)
  }

  /**
   * Returns the actual link if its path and its parameters (in any order) are correct. Otherwise, returns the
   * expected link.
   */
  #translateLink({ path, parameters, cursor: [name, cursor] }: Link, actual: unknown): string {
    const expected = new URLSearchParams(
      Object.fromEntries([...parameters, [name, this.textOf(cursor)] as const]),
    )
    expected.sort()
    const url = new URL(`${actual}`, 'http://graph.test')
    url.searchParams.sort()
    const isRight =
      url.pathname === path && `${url.searchParams}` === `${expected}` && `${actual}`.startsWith('/')
    return isRight ? `${actual}` : `${path}?${expected}`
  }
}
