import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import type { SchemaView } from '../../schema-view.ts'
import { faultIn } from '../answer/fault.ts'
import { isRecord, type Json } from '../answer/json.ts'
import { LABELS, type Met, meet, nothingMet } from '../answer/met.ts'
import { type AnswerContext, type Found, readAnswer } from '../answer/reading.ts'
import { membersAt, type Place, placeAt } from '../schema/lookup.ts'
import { requestPath } from '../target/query.ts'
import { isNodePath, parsePath } from '../target/target.ts'
import type { Answer } from './answer-state.ts'
import type { KnownNode, KnownNodes } from './known-nodes.ts'
import type { RequestState } from './request-state.ts'
import type { SchemaState } from './schema-state.ts'
import type { Transport } from './transport.ts'

/** The part of the graph that has been met, and what is done to it. */
export type GraphState = {
  readonly met: ReadonlySignal<Met>
  /** The id of the node that is looked at. */
  readonly selected: Signal<string | undefined>
  /** What came of the edge that was asked for last, and of which node that is. */
  readonly note: ReadonlySignal<Note | undefined>
  /** Adds what an answer told. */
  readonly add: (answer: Answer) => Promise<void>
  /** Asks for the first page of an edge, and adds it. */
  readonly expand: (id: string, edge: string) => Promise<void>
  readonly clear: () => void
}

/** A word about a node. */
type Note = { readonly id: string; readonly text: string }

/** The names that are worth asking for where a node is drawn. */
const fieldsToDraw = (schema: SchemaView, place: Place): string => {
  const names = new Set(membersAt(schema, place).map(({ name }) => name))
  return ['id', ...LABELS.filter(name => names.has(name))].join(',')
}

/** What was met, with the types that were learnt since. */
const withTypes = (met: Met, known: ReadonlyMap<string, KnownNode>): Met => {
  const nodes = [...met.nodes].map(([id, node]) => {
    const type = node.type ?? known.get(id)?.type
    const label = type !== undefined && node.label === `node ${id}` ? `${type} ${id}` : node.label
    return [id, { ...node, type, label }] as const
  })
  return { ...met, nodes: new Map(nodes) }
}

/** The parts of an answer by the ids that they were asked by: all of it, unless there were several. */
const partsOf = ({ query, exchange }: Answer): readonly (readonly [id: string, part: Json])[] => {
  const { id, ids } = parsePath(query.path)
  const { body = null } = exchange
  if (ids.length === 0) return [[id, body]]
  return isRecord(body) ? Object.entries(body) : []
}

const typedNodes = ({ nodes }: Found) =>
  nodes.flatMap(({ id, type }) => (type === undefined ? [] : [[id, { id, type }] as const]))

/** Keeps the part of the graph that answers have shown, for one token: what it may see is not for another. */
export const createGraphState = (
  request: RequestState,
  { schema }: SchemaState,
  nodes: KnownNodes,
  { ask }: Transport,
): GraphState => {
  const read = signal<Met>(nothingMet)
  const met = computed(() => withTypes(read.value, nodes.known.value))
  const selected = signal<string | undefined>(undefined)
  const note = signal<Note | undefined>(undefined)
  const take = (answer: Json, context: AnswerContext): Found => {
    const found = readAnswer(answer, context)
    read.value = meet(read.peek(), found)
    nodes.add(typedNodes(found))
    return found
  }
  const add: GraphState['add'] = async answer => {
    if (answer.fault !== undefined) return
    const { id, ids, edge } = parsePath(answer.query.path)
    const by = request.token.peek()
    if (isNodePath(id)) await nodes.learn(id)
    await nodes.learnAll(ids)
    const view = schema.peek()
    if (view === undefined || by !== request.token.peek()) return
    for (const [asked, part] of partsOf(answer)) {
      const { id = asked, type } = nodes.known.peek().get(asked) ?? {}
      const of = edge === undefined ? undefined : { id, type, edge }
      take(part, { schema: view, root: nodes.placeOf(asked, edge), expression: answer.expression, of })
    }
  }
  const expand: GraphState['expand'] = async (id, edge) => {
    const view = schema.peek()
    const type = met.peek().nodes.get(id)?.type
    if (view === undefined || type === undefined) return
    const root = placeAt(view, { types: [type], edge: undefined }, [edge])
    const query = { version: request.version.peek(), path: `${id}/${edge}`, fields: fieldsToDraw(view, root) }
    const by = request.token.peek()
    const tell = (text: string): void => {
      if (by === request.token.peek()) note.value = { id, text: `${edge}: ${text}` }
    }
    try {
      const { body = null } = await ask(requestPath(query), by)
      if (by !== request.token.peek()) return
      const { edges } = take(body, { schema: view, root, expression: [], of: { id, type, edge } })
      tell(faultIn(body)?.message ?? `${edges.length} on the first page`)
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error))
    }
  }
  const clear = (): void => {
    read.value = nothingMet
    selected.value = undefined
    note.value = undefined
  }
  return { met, selected, note, add, expand, clear }
}
