import type { ReadonlySignal } from '@preact/signals'
import { hasIdForm } from '../../../base/id-form.ts'
import { isNonArrayObject, type JsonValue } from '../../../base/json.ts'
import { nodeIdOf, textAt } from '../response/json.ts'
import { ROOT_ID } from '../target/target.ts'
import type { RequestState } from './request-state.ts'
import type { Transport } from './transport.ts'

/** A node and its type, from its metadata. */
export type KnownNode = { readonly id: string; readonly type: string }

/** Loads nodes into the known nodes. */
export type NodeLoader = {
  /**
   * Loads a node, unless it is known. Resolves to undefined if the token may not see the node, or if there is
   * no response.
   */
  readonly loadNode: (id: string) => Promise<KnownNode | undefined>
  /** Loads several nodes. Skips nodes that are known or were requested before. */
  readonly loadNodes: (ids: readonly string[]) => Promise<void>
  /** Forgets all requests. */
  readonly clear: () => void
}

const MAX_IDS_PER_REQUEST = 50

const parseNode = (body: JsonValue | undefined): KnownNode | undefined => {
  const [id, type] = [nodeIdOf(body), textAt(body, 'metadata', 'type')]
  return id === undefined || type === undefined ? undefined : { id, type }
}

/** Creates a reader of nodes with their metadata. */
const createMetadataReader = ({ token, version }: RequestState, { requestGraph }: Transport) => {
  const readMetadata = (pathAndQuery: string): Promise<JsonValue | undefined> => {
    const response = requestGraph(`/${version.peek()}/${pathAndQuery}fields=id&metadata=1`, token.peek())
    // Ignores a failure, because the request itself reports it.
    return response.then(
      ({ body }) => body,
      () => undefined,
    )
  }
  return {
    readOne: async (id: string): Promise<KnownNode | undefined> =>
      parseNode(await readMetadata(`${encodeURIComponent(id)}?`)),
    readSeveral: async (ids: readonly string[]): Promise<readonly KnownNode[]> => {
      const body = await readMetadata(`?ids=${ids.join(',')}&partial=1&`)
      return isNonArrayObject(body) ? Object.values(body).flatMap(node => parseNode(node) ?? []) : []
    },
  }
}

/** The known nodes, and the function that adds nodes to them. */
type NodeTarget = {
  readonly nodesById: ReadonlySignal<ReadonlyMap<string, KnownNode>>
  readonly add: (nodes: Iterable<readonly [string, KnownNode]>) => void
}

type MetadataReader = ReturnType<typeof createMetadataReader>

/** Creates the loader of single nodes. Calls for the same node share a request. */
const createSingleLoader = (
  { token }: RequestState,
  reader: MetadataReader,
  { nodesById, add }: NodeTarget,
) => {
  const pendingNodes = new Map<string, Promise<KnownNode | undefined>>()
  const requestNode = async (id: string): Promise<KnownNode | undefined> => {
    const tokenAtStart = token.peek()
    const node = await reader.readOne(id)
    if (tokenAtStart !== token.peek()) return node
    pendingNodes.delete(id)
    if (node !== undefined) add([id, node.id].map(key => [key, node] as const))
    return node
  }
  const load = async (id: string): Promise<KnownNode | undefined> => {
    const node = nodesById.peek().get(id)
    // The node of collections has no metadata.
    if (node !== undefined || id === ROOT_ID) return node
    const pendingNode = pendingNodes.get(id) ?? requestNode(id)
    pendingNodes.set(id, pendingNode)
    return pendingNode
  }
  return { load, clear: () => pendingNodes.clear() }
}

/** Creates the loader of several nodes. A node that could not be loaded is not requested again. */
const createBatchLoader = (
  { token }: RequestState,
  reader: MetadataReader,
  { nodesById, add }: NodeTarget,
) => {
  const requestsById = new Map<string, Promise<void>>()
  const requestNodes = async (ids: readonly string[]): Promise<void> => {
    const tokenAtStart = token.peek()
    const nodes = await reader.readSeveral(ids)
    if (tokenAtStart === token.peek()) add(nodes.map(node => [node.id, node] as const))
  }
  const load = async (ids: readonly string[]): Promise<void> => {
    const unknownIds = ids.filter(id => hasIdForm(id) && !nodesById.peek().has(id) && !requestsById.has(id))
    const batch = unknownIds.slice(0, MAX_IDS_PER_REQUEST)
    const batchRequest = batch.length === 0 ? undefined : requestNodes(batch)
    if (batchRequest !== undefined) for (const id of batch) requestsById.set(id, batchRequest)
    await Promise.all(ids.map(id => requestsById.get(id)))
  }
  return { load, clear: () => requestsById.clear() }
}

/** Creates a loader, which sends one request for each node. */
export const createNodeLoader = (
  request: RequestState,
  transport: Transport,
  target: NodeTarget,
): NodeLoader => {
  const reader = createMetadataReader(request, transport)
  const single = createSingleLoader(request, reader, target)
  const batch = createBatchLoader(request, reader, target)
  const clear = (): void => {
    single.clear()
    batch.clear()
  }
  return { loadNode: single.load, loadNodes: batch.load, clear }
}
