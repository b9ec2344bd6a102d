import { shorten } from '../base/describe.ts'
import { GraphError } from '../base/faults.ts'
import { hintOf, suggest } from '../base/suggest.ts'

/** A name that is not there: where it was looked for, and what there is. */
export type UnknownField = {
  readonly name: string
  readonly where: string
  readonly type: string
  /** Each once. */
  readonly known: Iterable<string>
  /** What is said in place of names that may have been meant. */
  readonly hint?: string | undefined
}

/**
 * The fault for a name that is not there, with the names that may have been meant. Clients of the protocol match the words,
 * which are the same for fields and edges.
 */
export const unknownField = ({ name, where, type, known, hint }: UnknownField): GraphError => {
  const came = shorten(name)
  const suggestions = suggest(name, known)
  return new GraphError(
    'unknown_field',
    `(#100) Tried accessing nonexisting field (${came}) ${where}${hint ?? hintOf(suggestions)}`,
    { name: came, type, suggestions },
  )
}
