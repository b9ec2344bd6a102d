import type { JsonValue } from '../base/json.ts'
import type { Parameter, Parameters } from '../schema/parameter.ts'

/** A parameter of a field or an edge. */
export type ParameterView = {
  readonly name: string
  readonly type: Parameter['kind']
  readonly description?: string
  /** The words of an enum. */
  readonly words?: readonly string[]
  /** The value if a request gives none. A time is in ISO 8601. */
  readonly default?: JsonValue
  /** Present if a request must give a value. */
  readonly required?: true
}

const toDefault = ({ kind, default: value }: Parameter): JsonValue | undefined =>
  kind === 'datetime' && typeof value === 'number' ? new Date(value).toISOString() : value

const toParameterView = (name: string, parameter: Parameter): ParameterView => {
  const { kind, type, description, required } = parameter
  const words = type.parts !== undefined && 'words' in type.parts ? type.parts.words : undefined
  const defaultValue = toDefault(parameter)
  return {
    name,
    type: kind,
    ...(description !== '' && { description }),
    ...(words !== undefined && { words }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(required && { required }),
  }
}

/** Converts declared parameters to a member of a view, which is absent if there are no parameters. */
export const toParameterViews = (
  parameters: Parameters,
): { readonly parameters?: readonly ParameterView[] } => {
  const views = Object.entries(parameters).map(([name, parameter]) => toParameterView(name, parameter))
  return views.length === 0 ? {} : { parameters: views }
}
