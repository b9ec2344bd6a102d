import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import { nodeIdOf, pageEntriesOf, textAt } from '../response/json.ts'
import { type ExpressionParent, membersOf } from '../schema/lookup.ts'
import type { ExplorerResponse } from '../state/explorer-response.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { selectedItemsOf } from '../table/columns.ts'
import { isGraphLink, isRootTarget, parsePath } from '../target/target.ts'
import { EdgeLink } from './collection-list.tsx'
import { ErrorNote } from './error-note.tsx'
import { JsonTree } from './json-tree.tsx'
import { NodeFields, NodeTable, type TableData } from './node-table.tsx'

/** The buttons for the next and the previous page. They keep the focus if there is no further page. */
const Pager = ({ body }: { readonly body: JsonValue }) => {
  const { navigation, settings } = useExplorer()
  const pages = [
    ['Previous', 'previous'],
    ['Next', 'next'],
  ] as const
  const links = pages.map(([label, name]) => {
    const link = textAt(body, 'paging', name)
    const isLink = link !== undefined && isGraphLink(link, settings.graphUrl)
    return [label, isLink ? link : undefined] as const
  })
  return (
    <nav class="pager" aria-label="Pages">
      {links.map(([label, link]) => (
        <button
          key={label}
          type="button"
          aria-disabled={link === undefined}
          onClick={() => link !== undefined && void navigation.openPath(link)}
        >
          {label}
        </button>
      ))}
      <p class="note" role="status">
        {formatRowCount(pageEntriesOf(body)?.length ?? 0)}
      </p>
    </nav>
  )
}

const formatRowCount = (count: number): string => (count === 1 ? '1 row' : `${count} rows`)

/** The edges of a node, as links to their tables. */
const NodeEdges = ({ id, parent }: { readonly id: string; readonly parent: ExpressionParent }) => {
  const schemaView = useExplorer().schema.schema.value
  const members = schemaView === undefined ? [] : membersOf(schemaView, parent)
  const edges = members.flatMap(member => (member.kind === 'edge' ? [member.view] : []))
  return (
    <>
      <h3>Edges</h3>
      <ul class="edge-list" aria-label="Edges">
        {edges.map(edge => (
          <EdgeLink key={edge.name} id={id} edge={edge} />
        ))}
      </ul>
    </>
  )
}

/** Returns the selected items of a response. Without a known type, these are the members of its objects. */
const useTableData = ({ query, expression, leftOutFields }: ExplorerResponse) => {
  const { schema, knownNodes } = useExplorer()
  const { id, edge } = parsePath(query.path)
  const parent = knownNodes.findParent(id, edge)
  const selectedItems = schema.schema.value && selectedItemsOf(schema.schema.value, parent, expression)
  const toItems = (nodes: readonly JsonValue[]): TableData['items'] => {
    if (selectedItems !== undefined && selectedItems.length > 0) return selectedItems
    const keys = new Set(nodes.flatMap(node => (isNonArrayObject(node) ? Object.keys(node) : [])))
    return [...keys].map(key => ({ name: key, key, modifiers: [], fields: undefined }))
  }
  return { parent, toItems, data: { expression, leftOutFields: leftOutFields.value } }
}

const ResponseContent = ({
  response,
  body,
}: {
  readonly response: ExplorerResponse
  readonly body: JsonValue
}) => {
  const { parent, toItems, data } = useTableData(response)
  const { path } = response.query
  const { edge } = parsePath(path)
  const [id, entries] = [nodeIdOf(body), pageEntriesOf(body)]
  if (edge !== undefined && entries !== undefined)
    return (
      <>
        {entries.length === 0 ? (
          <p class="empty">This page has no nodes.</p>
        ) : (
          <NodeTable nodes={entries} label={path} items={toItems(entries)} {...data} />
        )}
        <Pager body={body} />
      </>
    )
  if (edge === undefined && id !== undefined)
    return (
      <>
        <NodeFields node={body} label={path} items={toItems([body])} {...data} />
        <NodeEdges id={id} parent={parent} />
      </>
    )
  return <JsonTree value={body} {...data} />
}

/** The shown response as a table, or its error. */
export const TableResult = () => {
  const { request, responses } = useExplorer()
  const response = responses.shownResponse.value
  const failure = responses.failureMessage.value
  if (failure !== undefined)
    return (
      <p class="error" role="alert">
        {failure}
      </p>
    )
  const isRoot = isRootTarget(request.target.value)
  if (response === undefined)
    return isRoot ? null : <p class="empty">{responses.isBusy.value ? 'Loading.' : 'Enter a token first.'}</p>
  const { error, httpResponse, query } = response
  if (error !== undefined) return <ErrorNote error={error} />
  // The list of collections replaces the response to its request.
  if (isRoot || isRootTarget(parsePath(query.path))) return null
  return httpResponse.body === undefined ? (
    <pre>{httpResponse.text}</pre>
  ) : (
    <ResponseContent key={query.path.split('?')[0]} response={response} body={httpResponse.body} />
  )
}
