import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { faultIn } from '../answer/fault.ts'
import { LABELS, type Met, meet, nodesWithoutType, nothingMet } from '../answer/met.ts'
import { type FoundNode, readAnswer } from '../answer/reading.ts'
import { membersAt, type Place, placeAt } from '../schema/lookup.ts'
import { requestPath } from '../target/query.ts'
import type { Answer } from './answer-state.ts'
import type { KnownNodes } from './known-nodes.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** The part of the graph that has been met, and what is done to it. */
export type GraphState = {
  readonly met: ReadonlySignal<Met>
  /** The id of the node that is looked at. */
  readonly selected: Signal<string | undefined>
  /** What went wrong with the last edge that was asked for, or how little it had. */
  readonly note: ReadonlySignal<string | undefined>
  /** Adds what an answer told. */
  readonly add: (answer: Answer) => void
  /** Learns the types of nodes whose place in answers did not tell. */
  readonly learnTypes: () => Promise<void>
  /** Asks for the first page of an edge, and adds it. */
  readonly expand: (id: string, edge: string) => Promise<void>
  readonly clear: () => void
}

/** The names that are worth asking for where a node is drawn. */
const fieldsToDraw = (names: ReadonlySet<string>): string =>
  ['id', ...LABELS.filter(name => names.has(name))].join(',')

/** Keeps the part of the graph that answers have shown, for one token: what it may see is not for another. */
export const createGraphState = (
  request: RequestState,
  { schema }: SchemaState,
  nodes: KnownNodes,
  { ask }: Transport,
): GraphState => {
  const read = signal<Met>(nothingMet)
  const selected = signal<string | undefined>(undefined)
  const note = signal<string | undefined>(undefined)
  const met = computed((): Met => {
    const withType = [...read.value.nodes].map(([id, node]) => {
      const type = node.type ?? nodes.known.value.get(id)?.type
      const label = type !== undefined && node.label === `node ${id}` ? `${type} ${id}` : node.label
      return [id, { ...node, type, label }] as const
    })
    return { ...read.value, nodes: new Map(withType) }
  })
  const clear = (): void => {
    read.value = nothingMet
    selected.value = undefined
    note.value = undefined
  }
  const remember = (found: readonly FoundNode[]): void =>
    nodes.add(found.flatMap(({ id, type }) => (type === undefined ? [] : [[id, { id, type }] as const])))

  const add: GraphState['add'] = ({ exchange, fault, expression, place, of }) => {
    const view = schema.peek()
    if (view === undefined || fault !== undefined || exchange.body === undefined) return
    const found = readAnswer(exchange.body, { schema: view, root: place, expression, of })
    const source = of && nodes.known.peek().get(of.id)
    const start = source && { ...source, record: {} }
    read.value = meet(read.peek(), { ...found, nodes: [...(start ? [start] : []), ...found.nodes] })
    remember(found.nodes)
  }
  const expand: GraphState['expand'] = async (id, edge) => {
    const view = schema.peek()
    const type = met.peek().nodes.get(id)?.type
    if (view === undefined || type === undefined) return
    const place: Place = placeAt(view, { types: [type], edge: undefined }, [edge])
    const fields = fieldsToDraw(new Set(membersAt(view, place).map(({ name }) => name)))
    const path = requestPath({ version: request.version.peek(), path: `${id}/${edge}`, fields })
    const { body } = await ask(path, request.token.peek())
    const fault = faultIn(body)
    const found = readAnswer(body ?? null, { schema: view, root: place, expression: [], of: { id, edge } })
    read.value = meet(read.peek(), found)
    remember(found.nodes)
    note.value = fault?.message ?? `${edge}: ${found.edges.length} on the first page`
  }
  const learnTypes = (): Promise<void> => nodes.learnAll(nodesWithoutType(met.value))
  return { met, selected, note, add, learnTypes, expand, clear }
}
