import { describe, shorten } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import type { Entry } from './body.ts'

/** The parameters of a request, from its query and its body: each once. */
export class Parameters {
  readonly #texts = new Map<string, string>()

  /** @throws GraphError `bad_parameter` for one that comes twice and differs: nobody could tell which is meant. */
  constructor(...sources: readonly Iterable<Entry>[]) {
    for (const source of sources) for (const [name, text] of source) this.#add(name, text)
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

  /** A JSON array of texts; everything else is left as text. @throws GraphError `bad_parameter`. */
  list(name: string): string | readonly string[] | undefined {
    const text = this.text(name)
    if (text === undefined || !text.trimStart().startsWith('[')) return text
    let list: unknown
    try {
      list = JSON.parse(text)
    } catch {}
    if (Array.isArray(list) && list.every(item => typeof item === 'string')) {
      return list.map(item => item.toWellFormed())
    }
    throw badParameter(name, 'a JSON array of texts, or texts with commas between', describe(text))
  }

  /**
   * Ids: with commas between, or as a JSON array of texts. Undefined where the parameter is not there.
   *
   * @throws GraphError `bad_parameter`, also for an id that is empty.
   */
  ids(): readonly string[] | undefined {
    if (!this.has('ids')) return undefined
    const list = this.list('ids') ?? ''
    const ids = typeof list === 'string' ? list.split(',') : list
    if (ids.length === 0 || ids.includes('')) throw badParameter('ids', 'ids', 'an empty identifier')
    return ids
  }
}
