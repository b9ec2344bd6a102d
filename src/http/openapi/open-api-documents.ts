import type { Schema } from '../../schema/schema.ts'
import { createOpenApi } from './open-api.ts'
import type { DocumentedLimits } from './parameters.ts'

/** A placeholder for the base URL, which cannot contain such characters. */
const BASE_URL_PLACEHOLDER = '\u0000base\u0000'

const escapeJson = (text: string): string => JSON.stringify(text).slice(1, -1)

/**
 * The documents of a schema as text, created once per version: creating one takes milliseconds, and anybody
 * may request it.
 */
export class OpenApiDocuments {
  readonly #schema: Schema
  readonly #limits: DocumentedLimits
  /** The text between the placeholders, by version. */
  readonly #segmentsByVersion = new Map<string, readonly string[]>()

  constructor(schema: Schema, limits: DocumentedLimits) {
    this.#schema = schema
    this.#limits = limits
  }

  /** Returns the document of a declared version with `baseUrl`. */
  getText(version: string, baseUrl: string): string {
    const segments = this.#segmentsByVersion.get(version) ?? this.#createSegments(version)
    this.#segmentsByVersion.set(version, segments)
    return segments.join(escapeJson(baseUrl))
  }

  #createSegments(version: string): readonly string[] {
    const document = createOpenApi(this.#schema, {
      version,
      baseUrl: BASE_URL_PLACEHOLDER,
      limits: this.#limits,
    })
    return JSON.stringify(document).split(escapeJson(BASE_URL_PLACEHOLDER))
  }
}
