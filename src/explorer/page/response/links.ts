import { isCallParameter } from '../../../base/call-parameters.ts'
import { hasIdForm } from '../../../base/id-form.ts'
import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { FieldExpression } from '../../../fields/expression.ts'
import { unquoteArgument } from '../../../fields/parse.ts'
import { isGraphLink, printPath } from '../target/target.ts'
import { nodeIdOf, pageEntriesOf } from './json.ts'

/** The target of a link: a path of the graph, or a web URL. */
export type LinkTarget = { readonly kind: 'graph' | 'web'; readonly href: string }

/** The context of a value: the object that contains it, and the name of the member. */
export type ValueContext = {
  readonly parent: JsonValue | undefined
  readonly key: string
  readonly expression: FieldExpression
}

/** Whether a text is a relative link to an edge of a node: `/v1.0/4/photos?limit=2`. */
const isEdgeLink = (text: string): boolean => {
  const [, id] = /^\/(?:v\d+\.\d+\/)?([^/?]+)\/\w+(?:\?|$)/.exec(text) ?? []
  return id !== undefined && hasIdForm(id)
}

const isWebLink = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)

/**
 * Returns the link of a value: an id links to its node, a link of the graph links to its target, and a web
 * link leaves the page.
 */
export const findValueLink = (
  value: JsonValue,
  { parent, key }: ValueContext,
  graphUrl: string,
): LinkTarget | undefined => {
  if (typeof value !== 'string') return undefined
  if (key === 'id' && nodeIdOf(parent) === value) return { kind: 'graph', href: value }
  const isLink = key === 'next' || key === 'previous' || isEdgeLink(value)
  if (isLink && isGraphLink(value, graphUrl)) return { kind: 'graph', href: value }
  return isWebLink(value) ? { kind: 'web', href: value } : undefined
}

/**
 * Returns the link of a member's name: an edge links to its page, with the parameters of the edge, and a ref
 * links to its node.
 */
export const findKeyLink = (
  value: JsonValue,
  { parent, key, expression }: ValueContext,
): LinkTarget | undefined => {
  const sourceId = nodeIdOf(parent)
  if (sourceId === undefined || !isNonArrayObject(value) || pageEntriesOf(value) === undefined)
    return undefined
  const { name = key, modifiers = [] } = expression.find(item => item.key === key) ?? {}
  const parameters = modifiers
    .filter(modifier => modifier.name !== 'as' && !isCallParameter(modifier.name))
    .map(modifier => [modifier.name, unquoteArgument(modifier.argument)] as const)
  return { kind: 'graph', href: printPath({ id: sourceId, ids: [], edge: name, parameters }) }
}

/** Returns the expression below a name. */
export const childExpressionOf = (expression: FieldExpression, key: string): FieldExpression =>
  expression.find(item => item.key === key)?.fields ?? []
