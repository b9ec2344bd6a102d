import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { idIn, isRecord, type Json, textAt } from '../answer/json.ts'
import { type Place, placeAt } from '../schema/lookup.ts'
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
  /** Asks what a node is, unless it is known; undefined for one that this token may not see. */
  readonly learn: (id: string) => Promise<KnownNode | undefined>
  /** Asks what several nodes are. */
  readonly learnAll: (ids: readonly string[]) => Promise<void>
  /** The types that the node of the request may have. */
  readonly types: ReadonlySignal<readonly string[]>
  /** What the items of the request's expression may be. */
  readonly place: ReadonlySignal<Place>
}

const MOST_IDS = 50

const nodeIn = (answer: Json | undefined): KnownNode | undefined => {
  const [id, type] = [idIn(answer), textAt(answer, 'metadata', 'type')]
  return id === undefined || type === undefined ? undefined : { id, type }
}

/** Keeps what nodes are, until the token or the version changes: both decide what can be seen. */
export const createKnownNodes = (
  request: RequestState,
  { schema }: SchemaState,
  { ask }: Transport,
): KnownNodes => {
  const known = signal<ReadonlyMap<string, KnownNode>>(new Map())
  const { token, version, target } = request
  /** Those that could not be learnt are not asked for again and again. */
  const asked = new Set<string>()
  const metadataOf = (query: string): string => `/${version.peek()}${query}fields=id&metadata=1`
  const add: KnownNodes['add'] = nodes => {
    known.value = new Map([...known.peek(), ...nodes])
  }
  const learn = async (id: string): Promise<KnownNode | undefined> => {
    if (known.peek().has(id)) return known.peek().get(id)
    const by = token.peek()
    const { body } = await ask(metadataOf(`/${encodeURIComponent(id)}?`), by)
    const node = nodeIn(body)
    if (node !== undefined && by === token.peek()) add([[id, node] as const, [node.id, node] as const])
    return node
  }
  const learnAll = async (ids: readonly string[]): Promise<void> => {
    const unknown = ids.filter(id => !asked.has(id)).slice(0, MOST_IDS)
    if (unknown.length === 0) return
    for (const id of unknown) asked.add(id)
    const { body } = await ask(metadataOf(`/?ids=${unknown.join(',')}&partial=1&`), token.peek())
    const nodes = isRecord(body) ? Object.values(body).map(nodeIn) : []
    add(nodes.flatMap(node => (node === undefined ? [] : [[node.id, node] as const])))
  }
  effect(() => {
    void [token.value, version.value]
    known.value = new Map()
    asked.clear()
  })
  const wanted = computed(() => ({ id: target.value.id, by: token.value, version: version.value }))
  afterPause(
    () => wanted.value,
    async ({ id, by, version: at }) => {
      if (/^(?:me|\d+)$/.test(id) && by !== '' && at !== '') await learn(id)
    },
  )
  const types = computed((): readonly string[] => {
    const { id } = target.value
    const told = known.value.get(id)?.type
    if (told !== undefined) return [told]
    const viewers = (schema.value?.types ?? []).filter(({ isViewer }) => isViewer)
    return id === 'me' ? viewers.map(({ name }) => name) : []
  })
  const place = computed((): Place => {
    const root = { types: types.value, edge: undefined }
    const { edge } = target.value
    return schema.value === undefined || edge === undefined ? root : placeAt(schema.value, root, [edge])
  })
  return { known, add, learn, learnAll, types, place }
}
