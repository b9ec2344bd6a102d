import type { JsonValue } from '../base/json.ts'
import type { Parameter, Parameters } from '../schema/parameter.ts'

/** What a parameter, or an item of a list, may have as its value. */
export type ValueView = {
  readonly type: Parameter['kind']
  readonly description?: string
  /** The words of an enum. */
  readonly words?: readonly string[]
  /** The value if a request gives none. A time is in ISO 8601. */
  readonly default?: JsonValue
  /** Present if a request must give a value. */
  readonly required?: true
  /** The types of the node that an id may name. */
  readonly types?: readonly string[]
  /** Present if `null` is a value. This and the members below are only for actions. */
  readonly nullable?: true
  readonly min?: number
  readonly max?: number
  readonly maxLength?: number
  readonly maxItems?: number
  /** The items of a list. */
  readonly items?: ValueView
  /** The members of an object. */
  readonly members?: readonly ParameterView[]
}

/** A parameter of a field, an edge or an action, or a member of an object. */
export type ParameterView = ValueView & { readonly name: string }

const toDefault = ({ kind, default: value }: Parameter): JsonValue | undefined =>
  kind === 'datetime' && typeof value === 'number' ? new Date(value).toISOString() : value

/** Describes the properties that only parameters of actions have. */
const toActionMembers = ({ forActions = {} }: Parameter): Partial<ValueView> => {
  const { nullable, min, max, maxLength, maxItems, items, members } = forActions
  return {
    ...(nullable === true && { nullable }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(maxLength !== undefined && { maxLength }),
    ...(maxItems !== undefined && { maxItems }),
    ...(items !== undefined && { items: toValueView(items) }),
    ...(members !== undefined && { members: toViews(members) }),
  }
}

const toValueView = (parameter: Parameter): ValueView => {
  const { kind, type, description, required, types } = parameter
  const words = type.parts !== undefined && 'words' in type.parts ? type.parts.words : undefined
  const defaultValue = toDefault(parameter)
  return {
    type: kind,
    ...(description !== '' && { description }),
    ...(words !== undefined && { words }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(required && { required }),
    ...(types !== undefined && { types }),
    ...toActionMembers(parameter),
  }
}

const toViews = (parameters: Parameters): readonly ParameterView[] =>
  Object.entries(parameters).map(([name, parameter]) => ({ name, ...toValueView(parameter) }))

/** Converts declared parameters to a member of a view, which is absent if there are no parameters. */
export const toParameterViews = (
  parameters: Parameters,
): { readonly parameters?: readonly ParameterView[] } => {
  const views = toViews(parameters)
  return views.length === 0 ? {} : { parameters: views }
}
