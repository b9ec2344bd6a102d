import type { JsonValue } from '../base/json.ts'
import { NO_PARAMETERS, type Parameter, type Parameters, type ParameterValues } from '../schema/parameter.ts'
import type { GivenParameters, LinkParameter } from './window.ts'

const NO_LINK_PARAMETERS: readonly LinkParameter[] = Object.freeze([])

const formatValue = (value: JsonValue, { kind }: Parameter): string => {
  if (kind === 'datetime' && typeof value === 'number') return new Date(value).toISOString()
  return `${value}`
}

/** Formats the values of parameters as text, for links and cursors. Parameters without a value are left out. */
export const formatParameters = (declared: Parameters, values: ParameterValues): readonly LinkParameter[] => {
  if (declared === NO_PARAMETERS) return NO_LINK_PARAMETERS
  const texts: LinkParameter[] = []
  for (const name of Object.keys(declared)) {
    const parameter = declared[name]
    const value = values[name]
    if (parameter !== undefined && value !== undefined) texts.push([name, formatValue(value, parameter)])
  }
  return texts
}

/**
 * Returns the texts that identify the list in cursors. The parameters that choose the stored list are left out,
 * because its name identifies it.
 */
export const withoutListParameters = (
  texts: readonly LinkParameter[],
  { listParameters }: GivenParameters,
): readonly LinkParameter[] =>
  texts.length === 0 ? texts : texts.filter(([name]) => !listParameters.includes(name))

/** Returns the texts of the parameters that a caller gave. Links contain only these. */
export const onlyGiven = (
  texts: readonly LinkParameter[],
  { given }: GivenParameters,
): readonly LinkParameter[] => (texts.length === 0 ? texts : texts.filter(([name]) => given.has(name)))
