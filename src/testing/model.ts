import { describe } from '../base/describe.ts'
import { invalidMutation } from '../base/faults.ts'
import type { NodeId } from '../base/ids.ts'
import type { JsonObject } from '../base/json.ts'
import type {
  EdgePosition,
  EdgeRange,
  EdgeRecord,
  EdgeSlice,
  EdgeTest,
  Mutation,
  NodeRecord,
  TokenRecord,
  Wave,
  WaveAnswer,
} from '../store/contract.ts'
import { comparePositions } from '../store/order.ts'

/** All that a store holds. Changed in place, so that a write makes a copy first. */
export type Model = {
  readonly nodes: Map<NodeId, NodeRecord>
  edges: EdgeRecord[]
  readonly tokens: Map<string, TokenRecord>
}

/** What a fresh store holds. */
export const emptyModel = (): Model => ({ nodes: new Map(), edges: [], tokens: new Map() })

const isSameEdge = (a: EdgeTest, b: EdgeTest): boolean =>
  a.target === b.target && a.source === b.source && a.name === b.name

const existing = ({ nodes }: Model, id: NodeId, index: number, path: string): NodeRecord => {
  const node = nodes.get(id)
  if (node === undefined) throw invalidMutation(index, path, 'the id of an existing node', describe(id))
  return node
}

const putNode = ({ nodes }: Model, node: NodeRecord, index: number): void => {
  const type = nodes.get(node.id)?.type ?? node.type
  if (type !== node.type) throw invalidMutation(index, 'node.type', describe(type), describe(node.type))
  nodes.set(node.id, node)
}

const patchNode = (model: Model, id: NodeId, patch: JsonObject, index: number): void => {
  const node = existing(model, id, index, 'id')
  const fields = Object.entries({ ...node.fields, ...patch }).filter(([, value]) => value !== null)
  model.nodes.set(id, { ...node, fields: Object.fromEntries(fields) })
}

const placeOf = ({ edges }: Model, edge: EdgeTest): number =>
  edges.findIndex(other => isSameEdge(other, edge))

const putEdge = (model: Model, edge: EdgeRecord, index: number): void => {
  existing(model, edge.source, index, 'edge.source')
  existing(model, edge.target, index, 'edge.target')
  const place = placeOf(model, edge)
  if (place === -1) model.edges.push(edge)
  else model.edges[place] = edge
}

const deleteEdge = (model: Model, edge: EdgeTest): void => {
  const place = placeOf(model, edge)
  if (place !== -1) model.edges.splice(place, 1)
}

const deleteNode = (model: Model, id: NodeId): void => {
  model.nodes.delete(id)
  model.edges = model.edges.filter(({ source, target }) => source !== id && target !== id)
}

/** Does one mutation to a model; `index` is its place in the batch, for the fault. */
export const applyMutation = (model: Model, mutation: Mutation, index: number): void => {
  switch (mutation.op) {
    case 'putNode':
      putNode(model, mutation.node, index)
      break
    case 'patchNode':
      patchNode(model, mutation.id, mutation.fields, index)
      break
    case 'deleteNode':
      deleteNode(model, mutation.id)
      break
    case 'putEdge':
      putEdge(model, mutation.edge, index)
      break
    case 'deleteEdge':
      deleteEdge(model, mutation.edge)
      break
    case 'putToken':
      model.tokens.set(mutation.digest, mutation.token)
      break
    case 'deleteToken':
      model.tokens.delete(mutation.digest)
      break
  }
}

/** The model that a batch makes of another, which stays as it is; `apply` is what one mutation does. */
export const writeModel = (
  { nodes, edges, tokens }: Model,
  mutations: readonly Mutation[],
  apply = applyMutation,
): Model => {
  const model = { nodes: new Map(nodes), edges: [...edges], tokens: new Map(tokens) }
  mutations.forEach((mutation, index) => {
    apply(model, mutation, index)
  })
  return model
}

/** Whether a position is one that the walk comes to. */
const isWalked = (
  position: EdgePosition,
  { direction, from, minTime, maxTime }: EdgeRange,
  compare: typeof comparePositions,
): boolean => {
  if (minTime !== undefined && position.time < minTime) return false
  if (maxTime !== undefined && position.time > maxTime) return false
  if (from === undefined) return true
  return direction === 'newest' ? compare(position, from) < 0 : compare(position, from) > 0
}

/** The slice that answers a range, found by looking at every edge there is. */
export const answerRange = (model: Model, range: EdgeRange, compare = comparePositions): EdgeSlice => {
  const list = model.edges.filter(({ source, name }) => source === range.source && name === range.name)
  const ahead = list.filter(edge => isWalked(edge, range, compare)).sort(compare)
  if (range.direction === 'newest') ahead.reverse()
  const taken = ahead.slice(0, range.limit)
  const last = taken.at(-1)
  return {
    entries: taken.flatMap(({ target, time, data }) => {
      const node = model.nodes.get(target)
      return node === undefined ? [] : [{ target, time, data, node }]
    }),
    more: last !== undefined && ahead.length > taken.length,
    end: last === undefined ? undefined : { time: last.time, target: last.target },
    total: range.count ? list.length : undefined,
  }
}

/** The answer to a wave, each part of it found by looking at everything there is. */
export const answerWave = (model: Model, wave: Wave): WaveAnswer => ({
  nodes: wave.nodes.map(id => model.nodes.get(id)),
  ranges: wave.ranges.map(range => answerRange(model, range)),
  tests: wave.tests.map(test => model.edges.some(edge => isSameEdge(edge, test))),
  tokens: wave.tokens.map(digest => model.tokens.get(digest)),
})
