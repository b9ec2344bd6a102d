import type { ParameterView } from '../../parameter-view.ts'
import type { EdgeView } from '../../schema-view.ts'
import { allOrdersOf, BOOLEANS } from '../expression/modifiers-at.ts'
import { type PathTarget, printPath } from '../target/target.ts'

/** The parameters that name a page of a list. They are not valid in a list with other options. */
const CURSORS: readonly string[] = ['after', 'before', '__paging_token']
const TIMES: readonly string[] = ['since', 'until']

/** Returns the value of a parameter of a path; empty text if the path does not have it. */
export const readParameter = ({ parameters }: PathTarget, name: string): string =>
  parameters.find(([otherName]) => otherName === name)?.[1] ?? ''

/** Returns the orders that a list can have. */
export const orderNamesOf = ({ order, orders = [], isComputed }: EdgeView): readonly string[] =>
  isComputed ? [order] : allOrdersOf(orders)

/** Returns the order of the list at a path. */
export const currentOrderOf = (target: PathTarget, edge: EdgeView): string =>
  readParameter(target, 'order') || edge.order

/** Whether `since` and `until` are allowed in an order. */
export const acceptsTimes = ({ untimedOrders = [] }: EdgeView, order: string): boolean =>
  !untimedOrders.includes(order)

/**
 * Returns the path of the first page of a list after a change of an option. Empty text removes the option.
 * Also removes times that the order does not accept.
 */
export const changeOption = (target: PathTarget, edge: EdgeView, name: string, value: string): string => {
  const others = target.parameters.filter(([other]) => other !== name && !CURSORS.includes(other))
  const changed: PathTarget = {
    ...target,
    parameters: value === '' ? others : [...others, [name, value]],
  }
  const keepsTimes = acceptsTimes(edge, currentOrderOf(changed, edge))
  const parameters = changed.parameters.filter(([other]) => keepsTimes || !TIMES.includes(other))
  return printPath({ ...changed, parameters })
}

/** Returns the values that a parameter can have, or undefined if they cannot be listed. */
export const choicesOf = ({ type, words }: ParameterView): readonly string[] | undefined =>
  type === 'bool' ? BOOLEANS : words

/** Describes what a parameter without a value means. */
export const formatNoValue = ({ default: defaultValue, required }: ParameterView): string => {
  if (defaultValue !== undefined) return `${defaultValue} (default)`
  return required ? 'required' : 'any'
}

const LOCAL_TIME = /^(?:\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?)?$/

/** Returns the attributes of the input for a value. A time in another format than that of the browser is text. */
export const inputAttributesOf = (type: ParameterView['type'], value: string) => {
  if (type === 'datetime' && LOCAL_TIME.test(value)) return { type: 'datetime-local' } as const
  if (type === 'int') return { type: 'number' } as const
  return type === 'float' ? ({ type: 'number', step: 'any' } as const) : ({ type: 'text' } as const)
}
