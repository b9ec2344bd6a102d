import { describe } from '../base/describe.ts'
import { badParameter } from '../base/faults.ts'
import type { Entry } from './entry.ts'
import { MOST_PARAMETERS, type RequestValues, tooManyParameters } from './request-values.ts'

const COMMA = 0x2c

/** The parameters that are read. Clients send many others, which mean nothing here. */
const NAMES = [
  'access_token',
  'after',
  'appsecret_proof',
  'batch',
  'before',
  'debug',
  'fields',
  'height',
  'id',
  'ids',
  'include_headers',
  'input_token',
  'limit',
  'metadata',
  'method',
  'node_type',
  'offset',
  'order',
  'partial',
  'pretty',
  'redirect',
  'since',
  'summary',
  'type',
  'until',
  'width',
] as const

/** The name of a parameter that is read. */
export type ParameterName = (typeof NAMES)[number]

const READ: ReadonlySet<string> = new Set(NAMES)

/** A list as forms of PHP and its like write it: `fields[]`, `fields[0]`. */
const FIELDS_ITEM = /^fields\[\d{0,9}\]$/

/** The parameters of a request that are read, from its query and its body: each once. */
export class Parameters {
  readonly #texts = new Map<string, string>()
  /** What came as `fields[]`, in its order. */
  readonly #fields: string[] = []

  readonly #values: RequestValues

  /**
   * @throws GraphError `bad_parameter` for one that comes twice and differs: nobody could tell which is meant;
   * `request_too_large` for more than a request has.
   */
  constructor(values: RequestValues, ...sources: readonly Iterable<Entry>[]) {
    this.#values = values
    let count = 0
    for (const source of sources) {
      for (const [name, text] of source) {
        if (++count > MOST_PARAMETERS) throw tooManyParameters()
        if (READ.has(name)) this.#add(name, text)
        else if (FIELDS_ITEM.test(name)) this.#addField(name, text)
      }
    }
    if (this.#fields.length > 0 && this.text('fields') !== undefined)
      throw badParameter('fields', 'fields or fields[], not both', 'both')
  }

  /** Whether it is there for the first time. */
  #add(name: string, text: string): boolean {
    const known = this.#texts.get(name)
    if (known !== undefined && known !== text) throw badParameter(name, 'one value', 'two that differ')
    this.#texts.set(name, text)
    return known === undefined
  }

  /** Without a number, each is another one. An empty one says nothing. */
  #addField(name: string, text: string): void {
    const isNew = name === 'fields[]' || this.#add(name, text)
    if (isNew && text !== '') this.#fields.push(text)
  }

  /** The text; undefined where it is empty, which clients send for what they do not ask. */
  text(name: ParameterName): string | undefined {
    return this.#texts.get(name) || undefined
  }

  has(name: ParameterName): boolean {
    return this.#texts.has(name)
  }

  /** @throws GraphError `bad_parameter`. */
  flag(name: ParameterName): boolean | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    if (text === '1' || text.toLowerCase() === 'true') return true
    if (text === '0' || text.toLowerCase() === 'false') return false
    throw badParameter(name, 'true or false', describe(text))
  }

  /** The expressions of `fields`: as a list, or as the text that it is. @throws GraphError `bad_parameter`. */
  fields(): string | readonly string[] | undefined {
    return this.#fields.length > 0 ? this.#fields : this.#list('fields')
  }

  /**
   * Ids: with commas between, or as a JSON array of texts. Undefined where the parameter is not there.
   *
   * @throws GraphError `bad_parameter`, also for an id that is empty; `request_too_large`.
   */
  ids(): readonly string[] | undefined {
    if (!this.has('ids')) return undefined
    const list = this.#list('ids') ?? ''
    const ids = typeof list === 'string' ? this.#divided(list) : list
    if (ids.length === 0 || ids.includes('')) throw badParameter('ids', 'ids', 'an empty identifier')
    return ids
  }

  /** A JSON array of texts; everything else is left as text. @throws GraphError `bad_parameter`, `request_too_large`. */
  #list(name: ParameterName): string | readonly string[] | undefined {
    const text = this.text(name)
    if (text === undefined || !text.trimStart().startsWith('[')) return text
    const list = this.#values.parse(text)
    if (Array.isArray(list) && list.every(item => typeof item === 'string')) {
      return list.map(item => item.toWellFormed())
    }
    throw badParameter(name, 'a JSON array of texts, or texts with commas between', describe(text))
  }
  /** The parts of a text between its commas, which are counted before it is divided. */
  #divided(text: string): readonly string[] {
    let commas = 0
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === COMMA) commas++
    this.#values.take(commas)
    return text.split(',')
  }
}
