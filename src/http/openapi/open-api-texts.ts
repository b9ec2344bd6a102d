import type { Schema } from '../../schema/schema.ts'
import { openApiOf } from './open-api.ts'
import type { ToldLimits } from './parameters.ts'

/** Stands where the base URL will: no base URL has such characters. */
const BASE = '\u0000base\u0000'

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1)

/** The documents of a schema as text, each version's made once: making one takes milliseconds, and anybody may ask. */
export class OpenApiTexts {
  readonly #schema: Schema
  readonly #limits: ToldLimits
  /** By version: what stands around the base URL. */
  readonly #around = new Map<string, readonly string[]>()

  constructor(schema: Schema, limits: ToldLimits) {
    this.#schema = schema
    this.#limits = limits
  }

  /** The document of a declared version, for those who reach the graph at `baseUrl`. */
  of(version: string, baseUrl: string): string {
    const around = this.#around.get(version) ?? this.#make(version)
    this.#around.set(version, around)
    return around.join(quoted(baseUrl))
  }

  #make(version: string): readonly string[] {
    const document = openApiOf(this.#schema, { version, baseUrl: BASE, limits: this.#limits })
    return JSON.stringify(document).split(quoted(BASE))
  }
}
