import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import { truncateText } from '../response/display-limits.ts'
import { nodeIdOf, pageEntriesOf } from '../response/json.ts'
import { findKeyLink, findValueLink, type LinkTarget, type ValueContext } from '../response/links.ts'
import { findLabel } from '../response/seen-graph.ts'

/** A text in a cell, which may be a link. */
export type CellPart = { readonly text: string; readonly link: LinkTarget | undefined }

const MAX_TEXT_LENGTH = 300
/** The number of entries of a nested page in a cell. */
const MAX_ENTRIES = 5

const toNodeLink = (id: string): LinkTarget => ({ kind: 'graph', href: id })

const isScalar = (value: JsonValue): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'

/** Formats a value as a short text. */
export const formatText = (value: JsonValue): string =>
  truncateText(typeof value === 'string' ? value : JSON.stringify(value), MAX_TEXT_LENGTH)

/** Returns the short text of a node: its label, or its id. */
export const formatNode = (value: JsonValue): string =>
  (isNonArrayObject(value) ? findLabel(value) : undefined) ?? nodeIdOf(value) ?? formatText(value)

/** Returns the member of an object with a key, if it has one. */
export const memberOf = (value: JsonValue, key: string): JsonValue | undefined =>
  isNonArrayObject(value) && Object.hasOwn(value, key) ? value[key] : undefined

/** The entries of a nested page, and a link to the page itself. */
const toPageParts = (
  entries: readonly JsonValue[],
  value: JsonValue,
  context: ValueContext,
): readonly CellPart[] => {
  const parts = entries.slice(0, MAX_ENTRIES).map(entry => {
    const id = nodeIdOf(entry)
    return { text: formatNode(entry), link: id === undefined ? undefined : toNodeLink(id) }
  })
  return [...parts, { text: `all ${context.key}`, link: findKeyLink(value, context) }]
}

/** Returns the texts and links of a value in a table. A ref is a link with the name of its node. */
export const toCellParts = (
  value: JsonValue | undefined,
  context: ValueContext,
  graphUrl: string,
): readonly CellPart[] => {
  if (value === undefined || value === null) return []
  const id = nodeIdOf(value)
  if (id !== undefined) return [{ text: formatNode(value), link: toNodeLink(id) }]
  const entries = pageEntriesOf(value)
  if (entries !== undefined) return toPageParts(entries, value, context)
  if (Array.isArray(value) && value.every(isScalar))
    return [{ text: truncateText(value.join(', '), MAX_TEXT_LENGTH), link: undefined }]
  // The id of a node is a link only in the column that has the links.
  const link = context.key === 'id' ? undefined : findValueLink(value, context, graphUrl)
  return [{ text: formatText(value), link }]
}
