import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import type { SchemaView } from '../../schema-view.ts'
import { idIn, isRecord, type Json, textAt } from '../answer/json.ts'
import { type Place, placeAt } from '../schema/lookup.ts'
import { isNodePath } from '../target/target.ts'
import { afterPause } from './after-pause.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** A node as far as its metadata tells. */
export type KnownNode = { readonly id: string; readonly type: string }

/** What is known of nodes, by id; `me` is one of the ids. */
export type KnownNodes = {
  readonly known: ReadonlySignal<ReadonlyMap<string, KnownNode>>
  readonly add: (nodes: Iterable<readonly [string, KnownNode]>) => void
  /** Asks what a node is, unless it is known; undefined for one that this token may not see, or where no answer comes. */
  readonly learn: (id: string) => Promise<KnownNode | undefined>
  /** Asks what several nodes are, unless that is known or was asked before. */
  readonly learnAll: (ids: readonly string[]) => Promise<void>
  /** The types that the node of the request may have. */
  readonly types: ReadonlySignal<readonly string[]>
  /** What the items of the request's expression may be. */
  readonly place: ReadonlySignal<Place>
  /** What the items of an expression may be that asks a node, or one of its edges. */
  readonly placeOf: (id: string, edge: string | undefined) => Place
}

const MOST_IDS = 50

const nodeIn = (answer: Json | undefined): KnownNode | undefined => {
  const [id, type] = [idIn(answer), textAt(answer, 'metadata', 'type')]
  return id === undefined || type === undefined ? undefined : { id, type }
}

/** Asks the graph what nodes are, by their metadata. */
const createAsking = ({ token, version }: RequestState, { ask }: Transport) => {
  const metadataOf = (path: string): Promise<Json | undefined> => {
    const asked = ask(`/${version.peek()}/${path}fields=id&metadata=1`, token.peek())
    // Where nothing comes, nothing is learnt: the request itself will say why.
    return asked.then(
      ({ body }) => body,
      () => undefined,
    )
  }
  return {
    one: async (id: string): Promise<KnownNode | undefined> =>
      nodeIn(await metadataOf(`${encodeURIComponent(id)}?`)),
    several: async (ids: readonly string[]): Promise<readonly KnownNode[]> => {
      const body = await metadataOf(`?ids=${ids.join(',')}&partial=1&`)
      return isRecord(body) ? Object.values(body).flatMap(node => nodeIn(node) ?? []) : []
    },
  }
}

/** The types that a node may have: any that a viewer can be, until it is known whom `me` stands for. */
const typesOf = (
  id: string,
  node: KnownNode | undefined,
  schema: SchemaView | undefined,
): readonly string[] => {
  if (node !== undefined) return [node.type]
  const viewers = (schema?.types ?? []).filter(({ isViewer }) => isViewer)
  return id === 'me' ? viewers.map(({ name }) => name) : []
}

const placeBelow = (
  schema: SchemaView | undefined,
  types: readonly string[],
  edge: string | undefined,
): Place => {
  const root = { types, edge: undefined }
  return schema === undefined || edge === undefined ? root : placeAt(schema, root, [edge])
}

/** What the path of the request leads to, as far as it is known. */
const placesOf = (
  { target }: RequestState,
  schema: SchemaState['schema'],
  known: KnownNodes['known'],
): Pick<KnownNodes, 'types' | 'place' | 'placeOf'> => {
  const types = computed(() => {
    const { id, ids } = target.value
    const all = ids.length === 0 ? [id] : ids
    return [...new Set(all.flatMap(one => typesOf(one, known.value.get(one), schema.value)))]
  })
  const place = computed(() => placeBelow(schema.value, types.value, target.value.edge))
  const placeOf: KnownNodes['placeOf'] = (id, edge) =>
    placeBelow(schema.peek(), typesOf(id, known.peek().get(id), schema.peek()), edge)
  return { types, place, placeOf }
}

/** Keeps what nodes are, until the token or the version changes: both decide what can be seen. */
export const createKnownNodes = (
  request: RequestState,
  { schema }: SchemaState,
  transport: Transport,
): KnownNodes => {
  const { token, version, target } = request
  const known = signal<ReadonlyMap<string, KnownNode>>(new Map())
  const asking = createAsking(request, transport)
  /** Those that could not be learnt are not asked for again and again. */
  const asked = new Set<string>()
  effect(() => {
    void [token.value, version.value]
    known.value = new Map()
    asked.clear()
  })
  const add: KnownNodes['add'] = nodes => {
    known.value = new Map([...known.peek(), ...nodes])
  }
  const learn = async (id: string): Promise<KnownNode | undefined> => {
    const by = token.peek()
    const node = known.peek().get(id) ?? (await asking.one(id))
    if (node !== undefined && !known.peek().has(id) && by === token.peek())
      add([id, node.id].map(name => [name, node] as const))
    return node
  }
  const learnAll = async (ids: readonly string[]): Promise<void> => {
    const by = token.peek()
    const unknown = ids.filter(id => /^\d+$/.test(id) && !known.peek().has(id) && !asked.has(id))
    const now = unknown.slice(0, MOST_IDS)
    if (now.length === 0) return
    for (const id of now) asked.add(id)
    const learnt = await asking.several(now)
    if (by === token.peek()) add(learnt.map(node => [node.id, node] as const))
  }
  const wanted = computed(() => ({ target: target.value, by: token.value, version: version.value }))
  afterPause(
    () => wanted.value,
    async ({ target: { id, ids }, by, version: at }) => {
      if (by === '' || at === '') return
      if (isNodePath(id)) await learn(id)
      await learnAll(ids)
    },
  )
  return { known, add, learn, learnAll, ...placesOf(request, schema, known) }
}
