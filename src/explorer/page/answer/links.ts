import type { FieldExpression } from '../../../fields/expression.ts'
import { isGraphLink } from '../target/target.ts'
import { entriesIn, idIn, isRecord, type Json } from './json.ts'

/** Where a place of an answer leads: to a path of the graph, or to the web. */
export type Lead = { readonly kind: 'graph' | 'web'; readonly to: string }

/** What surrounds a value: the object that it is a member of, under its name. */
export type Around = {
  readonly parent: Json | undefined
  readonly key: string
  readonly expression: FieldExpression
}

const isWebLink = (text: string): boolean => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text)

/** Where a value leads: an id to its node, a link of the graph to what it names, a link of the web out of the page. */
export const leadOfValue = (value: Json, { parent, key }: Around, graphUrl: string): Lead | undefined => {
  if (typeof value !== 'string') return undefined
  if (key === 'id' && idIn(parent) === value) return { kind: 'graph', to: value }
  const isLink = key === 'next' || key === 'previous' || /^\/(?:v\d+\.\d+\/)?\d+\/\w+(?:\?|$)/.test(value)
  if (isLink && isGraphLink(value, graphUrl)) return { kind: 'graph', to: value }
  return isWebLink(value) ? { kind: 'web', to: value } : undefined
}

/** Where the name of a member leads: an edge to its page, a ref to its node. */
export const leadOfKey = (value: Json, { parent, key, expression }: Around): Lead | undefined => {
  const source = idIn(parent)
  if (source === undefined || !isRecord(value) || entriesIn(value) === undefined) return undefined
  const name = expression.find(item => item.key === key)?.name ?? key
  return { kind: 'graph', to: `${source}/${name}` }
}

/** The expression of what stands below a name. */
export const expressionBelow = (expression: FieldExpression, key: string): FieldExpression =>
  expression.find(item => item.key === key)?.fields ?? []
