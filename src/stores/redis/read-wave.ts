import type { NodeId } from '../../base/ids.ts'
import type { EdgeSlice, NodeRecord, ReadOptions, Wave, WaveAnswer } from '../../store/contract.ts'
import { assertTimely } from '../../store/settle.ts'
import { askTests } from './edge-tests.ts'
import type { Keys } from './keys.ts'
import { askData, askRange, askWhole, isWhole, type Page, toSlice, type WholePage } from './range.ts'
import { decodeNodes, decodeToken } from './records.ts'
import { Round } from './round.ts'
import type { Sender } from './sender.ts'

type Nodes = Map<NodeId, NodeRecord>

/** Asks for the records of nodes, each once, and answers what adds those that there are to the nodes that are known. */
const askNodes = (round: Round, keys: Keys, wanted: Iterable<NodeId>): ((nodes: Nodes) => void) => {
  const ids = [...new Set(wanted)]
  const readTexts = round.askTexts(ids.map(id => keys.node(id)))
  return nodes => {
    for (const node of decodeNodes(ids, readTexts())) if (node !== undefined) nodes.set(node.id, node)
  }
}

/**
 * Answers a wave in one round, and a second one for what belongs to the edges of its ranges: their data, and the nodes
 * that they lead to. Of a range in which an edge with data was written in between, edges and data are read again in one
 * step, and then the nodes that are new in it.
 */
export const readWave = async (
  sender: Sender,
  keys: Keys,
  wave: Wave,
  options: ReadOptions,
): Promise<WaveAnswer> => {
  const round = new Round(sender)
  const addNodes = askNodes(round, keys, wave.nodes)
  const readTokens = round.askTexts(wave.tokens.map(digest => keys.token(digest)))
  const readTests = askTests(round, keys, wave.tests)
  const ranges = wave.ranges.map(range => askRange(round, keys, range))
  await round.send()

  const nodes: Nodes = new Map()
  addNodes(nodes)
  const pages = ranges.map(readPage => readPage())
  const slices = pages.length === 0 ? [] : await readSlices(sender, keys, pages, nodes, options)
  return {
    nodes: wave.nodes.map(id => nodes.get(id)),
    ranges: slices,
    tests: readTests(),
    tokens: readTokens().map(text => (typeof text === 'string' ? decodeToken(text) : undefined)),
  }
}

/** Reads the data of edges, and their targets, which it adds to the nodes that are known, if anybody still waits. */
const readSlices = async (
  sender: Sender,
  keys: Keys,
  pages: readonly Page[],
  nodes: Nodes,
  options: ReadOptions,
): Promise<readonly EdgeSlice[]> => {
  assertTimely(options)
  const round = new Round(sender)
  const unknown: NodeId[] = []
  for (const { rows } of pages) for (const { target } of rows) if (!nodes.has(target)) unknown.push(target)
  const addNodes = askNodes(round, keys, unknown)
  const replies = pages.map(page => askData(round, keys, page))
  await round.send()
  addNodes(nodes)
  const read = replies.map(readPage => readPage())
  if (read.every(isWhole)) return read.map(page => toSlice(page, nodes))
  return readSlices(sender, keys, await readWhole(sender, keys, read, options), nodes, options)
}

/** Reads again those pages in which an edge was written between two rounds. */
const readWhole = async (
  sender: Sender,
  keys: Keys,
  pages: readonly Page[],
  options: ReadOptions,
): Promise<readonly WholePage[]> => {
  assertTimely(options)
  const round = new Round(sender)
  const replies = pages.map(page => (isWhole(page) ? () => page : askWhole(round, keys, page.range)))
  await round.send()
  return replies.map(readPage => readPage())
}
