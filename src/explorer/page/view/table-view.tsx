import { useEffect, useRef } from 'preact/hooks'
import { nodeIdOf } from '../response/json.ts'
import { useExplorer } from '../state/explorer-state.ts'
import { formatNode } from '../table/cells.ts'
import { isRootTarget, type PathTarget, ROOT_ID } from '../target/target.ts'
import { ActionsPanel } from './actions-panel.tsx'
import { CollectionList } from './collection-list.tsx'
import { ColumnPicker } from './column-picker.tsx'
import { CopyButton } from './copy-button.tsx'
import { ListControls } from './list-controls.tsx'
import { PathLink } from './path-link.tsx'
import { TableResult } from './table-result.tsx'

/** The links to the places where reading begins: the collections and the viewer. */
const StartLinks = () => {
  const { collections, settings } = useExplorer()
  const { initialFields } = settings
  const viewerPath = initialFields === '' ? 'me' : `me?${new URLSearchParams({ fields: initialFields })}`
  return (
    <nav class="start-links" aria-label="Start">
      {collections.collections.value.length > 0 && <PathLink path={ROOT_ID}>Collections</PathLink>}
      <PathLink path={viewerPath}>me</PathLink>
    </nav>
  )
}

/** The title of a target: the label of its node, and its edge. */
const TargetTitle = ({ target }: { readonly target: PathTarget }) => {
  const { knownNodes, graph, responses } = useExplorer()
  const { id, ids, edge } = target
  const { types, edge: edgeView } = knownNodes.requestedParent.value
  if (isRootTarget(target)) return <>Collections</>
  const nodeId = knownNodes.nodesById.value.get(id)?.id ?? id
  const body = responses.shownResponse.value?.httpResponse.body ?? null
  const seenLabel = graph.seenGraph.value.nodes.get(nodeId)?.label ?? (id || ids.join(', '))
  const label = nodeIdOf(body) === nodeId ? formatNode(body) : seenLabel
  if (edge === undefined)
    return (
      <>
        {label} <small>{types.join(' or ')}</small>
      </>
    )
  return (
    <>
      {id !== ROOT_ID && <PathLink path={id}>{label}</PathLink>}
      {id !== ROOT_ID && ' / '}
      {edge} <small>{edgeView?.description}</small>
    </>
  )
}

/** The heading of the table. It gets the focus if the element with the focus was in the previous table. */
const TableHeading = () => {
  const { request, responses } = useExplorer()
  const heading = useRef<HTMLHeadingElement>(null)
  const number = responses.shownResponse.value?.sequenceNumber
  useEffect(() => {
    if (number !== undefined && number > 1 && document.activeElement === document.body)
      heading.current?.focus()
  }, [number])
  return (
    <h2 ref={heading} tabIndex={-1}>
      <TargetTitle target={request.target.value} />
    </h2>
  )
}

const TableControls = () => {
  const { request, knownNodes } = useExplorer()
  const { types, edge } = knownNodes.requestedParent.value
  if (isRootTarget(request.target.value) || types.length === 0) return null
  return (
    <>
      {edge !== undefined && <ListControls key={request.path.value.split('?')[0]} edge={edge} />}
      <ColumnPicker title={edge === undefined ? 'Fields' : 'Columns'} />
    </>
  )
}

/** The request and its response as a table: a collection, an edge of a node, or one node. */
export const TableView = () => {
  const { request, responses, navigation } = useExplorer()
  return (
    <section class="table-view card" aria-label="Table">
      <div class="table-bar">
        <StartLinks />
        <button type="button" onClick={() => void navigation.run()}>
          {responses.isBusy.value ? 'Loading…' : 'Reload'}
        </button>
        <CopyButton label="Share" doneLabel="Link copied" text={navigation.createShareUrl} />
      </div>
      <TableHeading />
      <ActionsPanel />
      <TableControls />
      {isRootTarget(request.target.value) && <CollectionList />}
      <div class="table-result" aria-busy={responses.isBusy.value}>
        <TableResult />
      </div>
    </section>
  )
}
