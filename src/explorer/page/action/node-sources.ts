import type { JsonValue } from '../../../base/json.ts'
import type { EdgeView, SchemaView } from '../../schema-view.ts'
import { nodeIdOf, pageEntriesOf, textAt } from '../response/json.ts'
import { LABEL_FIELDS } from '../response/seen-graph.ts'
import { findType, membersOf } from '../schema/lookup.ts'
import { formatNode } from '../table/cells.ts'
import { printRequestPath } from '../target/query.ts'
import { isGraphLink, parseLink, ROOT_ID } from '../target/target.ts'
import { edgeOfAction, type SourceAction } from './action-call.ts'

/** A list from which users pick a node: a collection, or an edge of the source or the viewer. */
export type NodeSource = {
  readonly path: string
  readonly label: string
  /** The types of its nodes. */
  readonly types: readonly string[]
}

/** A node that users can pick. */
export type NodeChoice = { readonly id: string; readonly label: string }

/** A page of a list, with the paths of the pages around it. */
export type NodeChoices = {
  readonly choices: readonly NodeChoice[]
  readonly previous: string | undefined
  readonly next: string | undefined
}

const PAGE_SIZE = 25

/** Whether a list may have nodes of one of the types, and can be read without further values. */
const offersTypes = ({ targets, parameters = [] }: EdgeView, types: readonly string[]): boolean =>
  targets.some(target => types.includes(target)) && !parameters.some(({ required }) => required)

/** Returns the lists of a node that may have nodes of one of the types. */
const sourcesAt = (
  schema: SchemaView,
  id: string,
  sourceType: string,
  types: readonly string[],
): readonly NodeSource[] =>
  (findType(schema, sourceType)?.edges ?? [])
    .filter(edge => offersTypes(edge, types))
    .map(({ name, targets }) => ({
      path: `${id}/${name}`,
      label: id === ROOT_ID ? name : `${name} of ${id}`,
      types: targets,
    }))

/**
 * Returns the lists from which users can pick a node of one of the types, each once: the list from which the action
 * removes, the collections, the edges of the source, and the edges of the viewer.
 */
export const nodeSourcesOf = (
  schema: SchemaView,
  { id, type, action }: SourceAction,
  types: readonly string[],
): readonly NodeSource[] => {
  const viewerTypes = schema.types.filter(({ isViewer }) => isViewer)
  const ownSources = sourcesAt(schema, id, type, types)
  const isRemoval = action.name.endsWith('.remove')
  const removalPath = `${id}/${edgeOfAction(action)}`
  const sources = [
    ...ownSources.filter(({ path }) => isRemoval && path === removalPath),
    ...sourcesAt(schema, ROOT_ID, ROOT_ID, types),
    ...ownSources,
    ...viewerTypes.flatMap(viewerType => sourcesAt(schema, 'me', viewerType.name, types)),
  ]
  return [...new Map(sources.map(source => [source.path, source])).values()]
}

/** Formats the path of the request for the first page of a list, with the fields that identify its nodes. */
export const printSourcePath = (schema: SchemaView, { path, types }: NodeSource): string => {
  const names = membersOf(schema, { types, edge: undefined }).map(({ name }) => name)
  const fields = ['id', ...LABEL_FIELDS.filter(name => names.includes(name))].join(',')
  return printRequestPath({ version: schema.version, path: `${path}?limit=${PAGE_SIZE}`, fields })
}

/** Returns the nodes whose label or id contains a text, without regard to case. */
export const filterChoices = (choices: readonly NodeChoice[], text: string): readonly NodeChoice[] => {
  const wanted = text.trim().toLowerCase()
  return choices.filter(({ id, label }) => `${label} ${id}`.toLowerCase().includes(wanted))
}

/** Parses the response to a request for a list. The links lead only to pages of the graph. */
export const parseNodeChoices = (
  body: JsonValue | undefined,
  version: string,
  graphUrl: string,
): NodeChoices => {
  const readLink = (name: string): string | undefined => {
    const link = textAt(body, 'paging', name)
    if (link === undefined || !isGraphLink(link, graphUrl)) return undefined
    const { path, fields = '' } = parseLink(link, graphUrl)
    return printRequestPath({ version, path, fields })
  }
  const choices = (pageEntriesOf(body) ?? []).flatMap(entry => {
    const id = nodeIdOf(entry)
    return id === undefined ? [] : [{ id, label: formatNode(entry) }]
  })
  return { choices, previous: readLink('previous'), next: readLink('next') }
}
