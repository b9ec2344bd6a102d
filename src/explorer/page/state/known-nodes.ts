import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import type { SchemaView } from '../../schema-view.ts'
import { nodeIdOf, textAt } from '../response/json.ts'
import { type ExpressionParent, parentAt } from '../schema/lookup.ts'
import { looksLikeNodeId } from '../target/target.ts'
import { debounceEffect } from './debounce-effect.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** A node and its type, from its metadata. */
export type KnownNode = { readonly id: string; readonly type: string }

/** The known nodes by id, including `me`. */
export type KnownNodes = {
  readonly nodesById: ReadonlySignal<ReadonlyMap<string, KnownNode>>
  readonly add: (nodes: Iterable<readonly [string, KnownNode]>) => void
  /**
   * Loads a node, unless it is known. Resolves to undefined if this token may not see it, or without a
   * response.
   */
  readonly loadNode: (id: string) => Promise<KnownNode | undefined>
  /** Loads several nodes, unless they are known or were requested before. */
  readonly loadNodes: (ids: readonly string[]) => Promise<void>
  /** The possible types of the node of the request. */
  readonly requestedTypes: ReadonlySignal<readonly string[]>
  /** The possible types of the items of the request's expression. */
  readonly requestedParent: ReadonlySignal<ExpressionParent>
  /** Returns the possible types of the items of an expression for a node, or for one of its edges. */
  readonly findParent: (id: string, edge: string | undefined) => ExpressionParent
}

const MAX_IDS_PER_REQUEST = 50

const parseNode = (body: JsonValue | undefined): KnownNode | undefined => {
  const [id, type] = [nodeIdOf(body), textAt(body, 'metadata', 'type')]
  return id === undefined || type === undefined ? undefined : { id, type }
}

/** Creates a loader that reads nodes with their metadata. */
const createNodeLoader = ({ token, version }: RequestState, { requestGraph }: Transport) => {
  const loadMetadata = (pathAndQuery: string): Promise<JsonValue | undefined> => {
    const response = requestGraph(`/${version.peek()}/${pathAndQuery}fields=id&metadata=1`, token.peek())
    // A failure is ignored here, since the request itself reports it.
    return response.then(
      ({ body }) => body,
      () => undefined,
    )
  }
  return {
    loadOne: async (id: string): Promise<KnownNode | undefined> =>
      parseNode(await loadMetadata(`${encodeURIComponent(id)}?`)),
    loadSeveral: async (ids: readonly string[]): Promise<readonly KnownNode[]> => {
      const body = await loadMetadata(`?ids=${ids.join(',')}&partial=1&`)
      return isNonArrayObject(body) ? Object.values(body).flatMap(node => parseNode(node) ?? []) : []
    },
  }
}

/** Returns the possible types of a node: all types of viewers for `me`, until its type is known. */
const possibleTypesOf = (
  id: string,
  node: KnownNode | undefined,
  schema: SchemaView | undefined,
): readonly string[] => {
  if (node !== undefined) return [node.type]
  const viewerTypes = (schema?.types ?? []).filter(({ isViewer }) => isViewer)
  return id === 'me' ? viewerTypes.map(({ name }) => name) : []
}

const findEdgeParent = (
  schema: SchemaView | undefined,
  types: readonly string[],
  edge: string | undefined,
): ExpressionParent => {
  const root = { types, edge: undefined }
  return schema === undefined || edge === undefined ? root : parentAt(schema, root, [edge])
}

/** Computes the possible types at the path of the request. */
const createParentLookup = (
  { target }: RequestState,
  schema: SchemaState['schema'],
  nodesById: KnownNodes['nodesById'],
): Pick<KnownNodes, 'requestedTypes' | 'requestedParent' | 'findParent'> => {
  const requestedTypes = computed(() => {
    const { id, ids } = target.value
    const targetIds = ids.length === 0 ? [id] : ids
    return [
      ...new Set(
        targetIds.flatMap(targetId => possibleTypesOf(targetId, nodesById.value.get(targetId), schema.value)),
      ),
    ]
  })
  const requestedParent = computed(() =>
    findEdgeParent(schema.value, requestedTypes.value, target.value.edge),
  )
  const findParent: KnownNodes['findParent'] = (id, edge) =>
    findEdgeParent(schema.peek(), possibleTypesOf(id, nodesById.peek().get(id), schema.peek()), edge)
  return { requestedTypes, requestedParent, findParent }
}

/** Loads the nodes of the request whenever it, the token or the version has changed. */
const loadRequestedNodes = (
  { target, token, version }: RequestState,
  loadNode: KnownNodes['loadNode'],
  loadNodes: KnownNodes['loadNodes'],
): void => {
  const nodeRequest = computed(() => ({
    target: target.value,
    currentToken: token.value,
    currentVersion: version.value,
  }))
  debounceEffect(
    () => nodeRequest.value,
    async ({ target: { id, ids }, currentToken, currentVersion }) => {
      if (currentToken === '' || currentVersion === '') return
      if (looksLikeNodeId(id)) await loadNode(id)
      await loadNodes(ids)
    },
  )
}

/** Keeps the known nodes until the token or the version changes, since both determine what is visible. */
export const createKnownNodes = (
  request: RequestState,
  { schema }: SchemaState,
  transport: Transport,
): KnownNodes => {
  const { token, version } = request
  const nodesById = signal<ReadonlyMap<string, KnownNode>>(new Map())
  const loader = createNodeLoader(request, transport)
  /** Nodes that could not be loaded are not requested again. */
  const requestedIds = new Set<string>()
  effect(() => {
    void [token.value, version.value]
    nodesById.value = new Map()
    requestedIds.clear()
  })
  const add: KnownNodes['add'] = nodes => {
    nodesById.value = new Map([...nodesById.peek(), ...nodes])
  }
  const loadNode = async (id: string): Promise<KnownNode | undefined> => {
    const tokenAtStart = token.peek()
    const node = nodesById.peek().get(id) ?? (await loader.loadOne(id))
    if (node !== undefined && !nodesById.peek().has(id) && tokenAtStart === token.peek())
      add([id, node.id].map(key => [key, node] as const))
    return node
  }
  const loadNodes = async (ids: readonly string[]): Promise<void> => {
    const tokenAtStart = token.peek()
    const unknownIds = ids.filter(
      id => /^\d+$/.test(id) && !nodesById.peek().has(id) && !requestedIds.has(id),
    )
    const batch = unknownIds.slice(0, MAX_IDS_PER_REQUEST)
    if (batch.length === 0) return
    for (const id of batch) requestedIds.add(id)
    const loadedNodes = await loader.loadSeveral(batch)
    if (tokenAtStart === token.peek()) add(loadedNodes.map(node => [node.id, node] as const))
  }
  loadRequestedNodes(request, loadNode, loadNodes)
  return { nodesById, add, loadNode, loadNodes, ...createParentLookup(request, schema, nodesById) }
}
