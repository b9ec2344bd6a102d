import { describeValue } from '../base/describe.ts'
import { formatIssue } from '../base/usage-error.ts'
import type { EdgeType } from './edge.ts'
import { NEWEST_FIRST } from './list-order.ts'

/** The options that need stored entries, which a computed edge does not have. */
const STORED_OPTIONS = ['lists', 'where', 'inverse', 'symmetric', 'positionKey'] as const

const nameOf = (option: (typeof STORED_OPTIONS)[number]): string => (option === 'lists' ? 'list' : option)

/** Returns the errors of an edge with `resolve`, and of the options that only such an edge may have. */
export const findComputedEdgeErrors = (location: string, edge: EdgeType): readonly string[] => {
  if (edge.resolve === undefined)
    return (['backward', 'times'] as const)
      .filter(option => edge[option])
      .map(option => formatIssue(location, `"${option}"`, 'left out of an edge without "resolve"', 'true'))
  const optionErrors = STORED_OPTIONS.filter(
    option => edge[option] !== undefined && edge[option] !== false,
  ).map(option =>
    formatIssue(
      location,
      `"${nameOf(option)}"`,
      'left out of a computed edge',
      option === 'lists' ? 'a function' : describeValue(edge[option]),
    ),
  )
  const orderErrors = [
    ...(edge.orders.size === 0 || edge.positionKey !== undefined
      ? []
      : [['orders', [...edge.orders.keys()].join(', ')]]),
    ...(edge.order === NEWEST_FIRST.name ? [] : [['order', describeValue(edge.order)]]),
  ].map(([option, received = '']) =>
    formatIssue(location, `"${option}"`, 'left out of a computed edge', received),
  )
  const fieldErrors = Object.entries(edge.fields)
    .filter(([, field]) => field.kind === 'edgeTime')
    .map(([name]) =>
      formatIssue(`${location}.${name}`, 'a field of a computed edge', 'a stored value', 'an edge time'),
    )
  return [...optionErrors, ...orderErrors, ...fieldErrors]
}
