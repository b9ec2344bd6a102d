import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { ParameterView } from '../../parameter-view.ts'
import type { SchemaView } from '../../schema-view.ts'
import { type ExpressionParent, parametersAt, parentAt } from '../schema/lookup.ts'
import { looksLikeNodeId, ROOT_ID } from '../target/target.ts'
import { debounceEffect } from './debounce-effect.ts'
import { createNodeLoader, type KnownNode, type NodeLoader } from './node-loader.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** The known nodes by id, including `me`. */
export type KnownNodes = Pick<NodeLoader, 'loadNode' | 'loadNodes'> & {
  readonly nodesById: ReadonlySignal<ReadonlyMap<string, KnownNode>>
  readonly add: (nodes: Iterable<readonly [string, KnownNode]>) => void
  /** The possible types of the node of the request. */
  readonly requestedTypes: ReadonlySignal<readonly string[]>
  /** The possible types of the nodes that the request's expression applies to. */
  readonly requestedParent: ReadonlySignal<ExpressionParent>
  /** The parameters of the edge of the request. */
  readonly requestedParameters: ReadonlySignal<readonly ParameterView[]>
  /** Returns the possible types that an expression applies to, for a node or for one of its edges. */
  readonly findParent: (id: string, edge: string | undefined) => ExpressionParent
}

/** Returns the possible types of a node. For `me`, returns all viewer types until the type is known. */
const possibleTypesOf = (
  id: string,
  node: KnownNode | undefined,
  schema: SchemaView | undefined,
): readonly string[] => {
  if (node !== undefined) return [node.type]
  const viewerTypes = (schema?.types ?? []).filter(({ isViewer }) => isViewer)
  if (id === ROOT_ID) return schema === undefined ? [] : [ROOT_ID]
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
): Pick<KnownNodes, 'requestedTypes' | 'requestedParent' | 'requestedParameters' | 'findParent'> => {
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
  const requestedParameters = computed(() => {
    const { edge } = target.value
    if (schema.value === undefined || edge === undefined) return []
    return parametersAt(schema.value, { types: requestedTypes.value, edge: undefined }, edge)
  })
  const findParent: KnownNodes['findParent'] = (id, edge) =>
    findEdgeParent(schema.value, possibleTypesOf(id, nodesById.value.get(id), schema.value), edge)
  return { requestedTypes, requestedParent, requestedParameters, findParent }
}

/** Loads the nodes of the request when the request, the token or the version changes. */
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

/** Creates the known nodes. They are cleared when the token or the version changes. */
export const createKnownNodes = (
  request: RequestState,
  { schema }: SchemaState,
  transport: Transport,
): KnownNodes => {
  const { token, version } = request
  const nodesById = signal<ReadonlyMap<string, KnownNode>>(new Map())
  const add: KnownNodes['add'] = nodes => {
    nodesById.value = new Map([...nodesById.peek(), ...nodes])
  }
  const { loadNode, loadNodes, clear } = createNodeLoader(request, transport, { nodesById, add })
  effect(() => {
    void [token.value, version.value]
    nodesById.value = new Map()
    clear()
  })
  loadRequestedNodes(request, loadNode, loadNodes)
  return { nodesById, add, loadNode, loadNodes, ...createParentLookup(request, schema, nodesById) }
}
