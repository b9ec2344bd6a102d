import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { JsonValue } from '../../../base/json.ts'
import type { SchemaView } from '../../schema-view.ts'
import { parseError } from '../response/error-details.ts'
import { extractGraph, type FoundGraph, type ResponseContext } from '../response/extract-graph.ts'
import { splitByRequestedId } from '../response/requested-parts.ts'
import { addToGraph, EMPTY_GRAPH, LABEL_FIELDS, type SeenGraph } from '../response/seen-graph.ts'
import { type ExpressionParent, membersOf, parentAt } from '../schema/lookup.ts'
import { printRequestPath } from '../target/query.ts'
import { looksLikeNodeId, parsePath } from '../target/target.ts'
import type { ExplorerResponse } from './explorer-response.ts'
import type { KnownNodes } from './known-nodes.ts'
import type { KnownNode } from './node-loader.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** The graph of all responses, and the actions on it. */
export type GraphState = {
  readonly seenGraph: ReadonlySignal<SeenGraph>
  /** The id of the selected node. */
  readonly selectedId: Signal<string | undefined>
  /** A message about the last edge request, and the node of the edge. */
  readonly nodeNote: ReadonlySignal<NodeNote | undefined>
  /** Adds the nodes and edges of a response. */
  readonly addResponse: (response: ExplorerResponse) => Promise<void>
  /** Reads the first page of an edge and adds it to the graph. */
  readonly expandEdge: (id: string, edge: string) => Promise<void>
  readonly clear: () => void
}

/** A message about a node. */
type NodeNote = { readonly id: string; readonly text: string }

/** Returns the fields to read for a node that will be drawn. */
const formatDrawnFields = (schema: SchemaView, parent: ExpressionParent): string => {
  const names = new Set(membersOf(schema, parent).map(({ name }) => name))
  return ['id', ...LABEL_FIELDS.filter(name => names.has(name))].join(',')
}

/** Adds the types that were loaded later. */
const addKnownTypes = (graph: SeenGraph, knownNodes: ReadonlyMap<string, KnownNode>): SeenGraph => {
  const nodes = [...graph.nodes].map(([id, node]) => {
    const type = node.type ?? knownNodes.get(id)?.type
    const label = type !== undefined && node.label === `node ${id}` ? `${type} ${id}` : node.label
    return [id, { ...node, type, label }] as const
  })
  return { ...graph, nodes: new Map(nodes) }
}

const findTypedNodes = ({ nodes }: FoundGraph) =>
  nodes.flatMap(({ id, type }) => (type === undefined ? [] : [[id, { id, type }] as const]))

/** Adds the nodes and edges of a response to the drawn graph, and returns them. */
type AddFound = (body: JsonValue, context: ResponseContext) => FoundGraph

const createResponseAdder =
  (
    { token }: RequestState,
    { schema }: SchemaState,
    knownNodes: KnownNodes,
    addFound: AddFound,
  ): GraphState['addResponse'] =>
  async response => {
    if (response.error !== undefined) return
    const target = parsePath(response.query.path)
    const { id, ids, edge } = target
    const tokenAtStart = token.peek()
    if (looksLikeNodeId(id)) await knownNodes.loadNode(id)
    await knownNodes.loadNodes(ids)
    const schemaView = schema.peek()
    if (schemaView === undefined || tokenAtStart !== token.peek()) return
    for (const [requestedId, part] of splitByRequestedId(target, response.httpResponse.body ?? null)) {
      const { id = requestedId, type } = knownNodes.nodesById.peek().get(requestedId) ?? {}
      const requestedEdge = edge === undefined ? undefined : { id, type, edge }
      addFound(part, {
        schema: schemaView,
        root: knownNodes.findParent(requestedId, edge),
        expression: response.expression,
        requestedEdge,
      })
    }
  }

const createEdgeExpander =
  (
    { token, version }: RequestState,
    { schema }: SchemaState,
    { requestGraph }: Transport,
    { seenGraph, nodeNote }: { seenGraph: ReadonlySignal<SeenGraph>; nodeNote: Signal<NodeNote | undefined> },
    addFound: AddFound,
  ): GraphState['expandEdge'] =>
  async (id, edge) => {
    const schemaView = schema.peek()
    const type = seenGraph.peek().nodes.get(id)?.type
    if (schemaView === undefined || type === undefined) return
    const root = parentAt(schemaView, { types: [type], edge: undefined }, [edge])
    const query = {
      version: version.peek(),
      path: `${id}/${edge}`,
      fields: formatDrawnFields(schemaView, root),
    }
    const tokenAtStart = token.peek()
    const setNote = (text: string): void => {
      if (tokenAtStart === token.peek()) nodeNote.value = { id, text: `${edge}: ${text}` }
    }
    try {
      const { body = null } = await requestGraph(printRequestPath(query), tokenAtStart)
      if (tokenAtStart !== token.peek()) return
      const requestedEdge = { id, type, edge }
      const { edges } = addFound(body, { schema: schemaView, root, expression: [], requestedEdge })
      setNote(parseError(body)?.message ?? `${edges.length} on the first page`)
    } catch (error) {
      setNote(error instanceof Error ? error.message : String(error))
    }
  }

/**
 * Creates the graph of the responses to one token. The graph is cleared when the token changes, because
 * another token may not see all of its nodes.
 */
export const createGraphState = (
  request: RequestState,
  schema: SchemaState,
  knownNodes: KnownNodes,
  transport: Transport,
): GraphState => {
  const untypedGraph = signal<SeenGraph>(EMPTY_GRAPH)
  const seenGraph = computed(() => addKnownTypes(untypedGraph.value, knownNodes.nodesById.value))
  const selectedId = signal<string | undefined>(undefined)
  const nodeNote = signal<NodeNote | undefined>(undefined)
  const addFound: AddFound = (body, context) => {
    const foundGraph = extractGraph(body, context)
    untypedGraph.value = addToGraph(untypedGraph.peek(), foundGraph)
    knownNodes.add(findTypedNodes(foundGraph))
    return foundGraph
  }
  return {
    seenGraph,
    selectedId,
    nodeNote,
    addResponse: createResponseAdder(request, schema, knownNodes, addFound),
    expandEdge: createEdgeExpander(request, schema, transport, { seenGraph, nodeNote }, addFound),
    clear: () => {
      untypedGraph.value = EMPTY_GRAPH
      selectedId.value = undefined
      nodeNote.value = undefined
    },
  }
}
