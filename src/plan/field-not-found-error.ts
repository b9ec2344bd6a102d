import { shortenText } from '../base/describe.ts'
import { GraphError } from '../base/errors.ts'
import { formatSuggestions, suggestWords } from '../base/suggest.ts'

/** An unknown name, the location where it was used, and the known names. */
export type FieldNotFoundInput = {
  readonly name: string
  readonly location: string
  readonly type: string
  /** Without duplicates. */
  readonly knownNames: Iterable<string>
  /** The hint that replaces the suggestions. */
  readonly hint?: string | undefined
}

/**
 * Creates the error for an unknown name, with suggestions. Clients of the protocol match its first words,
 * which are the same for fields and edges.
 */
export const fieldNotFoundError = ({
  name,
  location,
  type,
  knownNames,
  hint,
}: FieldNotFoundInput): GraphError => {
  const received = shortenText(name)
  const suggestions = suggestWords(name, knownNames)
  return new GraphError(
    'field_not_found',
    `(#100) Tried accessing nonexisting field (${received}) ${location}${hint ?? formatSuggestions(suggestions)}`,
    { name: received, type, suggestions },
  )
}
