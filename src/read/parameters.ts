import { type IdContext, resolveParameterId } from '../access/requested-ids.ts'
import { formatParameters, onlyGiven, withoutListParameters } from '../plan/parameter-texts.ts'
import type { GivenParameters, LinkParameter } from '../plan/window.ts'
import type { Parameters, ParameterValues } from '../schema/parameter.ts'

/** The values of parameters with stored ids, and the same values with the ids that callers know. */
type ResolvedValues = { readonly values: ParameterValues; readonly requestedValues: ParameterValues }

/**
 * Resolves the ids in the values of parameters. The context may be undefined if no parameter with a value is
 * an id.
 *
 * @throws GraphError `invalid_parameter`, `viewer_required`.
 */
export const resolveParameterIds = (
  declared: Parameters,
  values: ParameterValues,
  context: IdContext | undefined,
): ResolvedValues => {
  let resolved: ResolvedValues = { values, requestedValues: values }
  for (const [name, { kind, types }] of Object.entries(declared)) {
    const id = values[name]
    if (kind !== 'id' || typeof id !== 'string') continue
    if (context === undefined) throw new Error('A parameter was resolved before its call had a session')
    const { rawId, requestedId } = resolveParameterId(name, id, types, context)
    resolved = {
      values: { ...resolved.values, [name]: rawId },
      requestedValues: { ...resolved.requestedValues, [name]: requestedId },
    }
  }
  return resolved
}

/** The parameters of an edge in one call. */
export type BoundParameters = {
  readonly values: ParameterValues
  /** The texts that identify the list in cursors. */
  readonly listParameters: readonly LinkParameter[]
  /** The texts of the values that the caller gave, for links. */
  readonly linkParameters: readonly LinkParameter[]
}

/**
 * Resolves the ids in the parsed parameters of an edge, and formats the parameters for links and cursors.
 *
 * @throws GraphError `invalid_parameter` for a text that is not an id; `viewer_required`.
 */
export const bindParameters = (
  given: GivenParameters,
  parsedValues: ParameterValues,
  context: IdContext | undefined,
): BoundParameters => {
  const { values, requestedValues } = resolveParameterIds(given.declared, parsedValues, context)
  const texts = formatParameters(given.declared, requestedValues)
  return {
    values,
    listParameters: withoutListParameters(texts, given),
    linkParameters: onlyGiven(texts, given),
  }
}
