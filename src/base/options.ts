import { describe } from './describe.ts'
import { isPlainObject } from './json.ts'

/**
 * Refuses options that nobody would read, since a misspelt one would otherwise do nothing in silence.
 *
 * @throws TypeError naming the place, what may stand there and what came.
 */
export const assertOptions = (place: string, options: unknown, known: readonly string[]): void => {
  if (options === undefined) return
  if (!isPlainObject(options))
    throw new TypeError(`${place}: expected options as an object, came ${describe(options)}`)
  const unknown = Object.keys(options).find(name => !known.includes(name))
  if (unknown === undefined) return
  throw new TypeError(`${place}: unknown option ${describe(unknown)}; expected one of ${known.join(', ')}`)
}
