import { describe, shorten } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import type { Entry } from './entry.ts'
import { MOST_PARAMETERS, type RequestValues, tooManyParameters } from './request-values.ts'

const COMMA = 0x2c

/** The parameters of a request, from its query and its body: each once. */
export class Parameters {
  readonly #texts = new Map<string, string>()
  readonly #values: RequestValues

  /**
   * @throws GraphError `bad_parameter` for one that comes twice and differs: nobody could tell which is meant;
   * `request_too_large` for more than a request has.
   */
  constructor(values: RequestValues, ...sources: readonly Iterable<Entry>[]) {
    this.#values = values
    let count = 0
    for (const source of sources)
      for (const [name, text] of source) {
        if (++count > MOST_PARAMETERS) throw tooManyParameters()
        this.#add(name, text)
      }
  }

  #add(name: string, text: string): void {
    const known = this.#texts.get(name)
    if (known !== undefined && known !== text)
      throw badParameter(shorten(name), 'one value', 'two that differ')
    this.#texts.set(name, text)
  }

  /** The text; undefined where it is empty, which clients send for what they do not ask. */
  text(name: string): string | undefined {
    return this.#texts.get(name) || undefined
  }

  has(name: string): boolean {
    return this.#texts.has(name)
  }

  /** @throws GraphError `bad_parameter`. */
  flag(name: string): boolean | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (text === '1' || text.toLowerCase() === 'true') return true
    if (text === '0' || text.toLowerCase() === 'false') return false
    throw badParameter(name, 'true or false', describe(text))
  }

  /** A JSON array of texts; everything else is left as text. @throws GraphError `bad_parameter`, `request_too_large`. */
  list(name: string): string | readonly string[] | undefined {
    const text = this.text(name)
    if (text === undefined || !text.trimStart().startsWith('[')) return text
    const list = this.#values.parse(text)
    if (Array.isArray(list) && list.every(item => typeof item === 'string')) {
      return list.map(item => item.toWellFormed())
    }
    throw badParameter(name, 'a JSON array of texts, or texts with commas between', describe(text))
  }

  /**
   * Ids: with commas between, or as a JSON array of texts. Undefined where the parameter is not there.
   *
   * @throws GraphError `bad_parameter`, also for an id that is empty; `request_too_large`.
   */
  ids(): readonly string[] | undefined {
    if (!this.has('ids')) return undefined
    const list = this.list('ids') ?? ''
    const ids = typeof list === 'string' ? this.#divided(list) : list
    if (ids.length === 0 || ids.includes('')) throw badParameter('ids', 'ids', 'an empty identifier')
    return ids
  }

  /** The parts of a text between its commas, which are counted before it is divided. */
  #divided(text: string): readonly string[] {
    let commas = 0
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === COMMA) commas++
    this.#values.take(commas)
    return text.split(',')
  }
}
