import type { NodeId } from '../../base/ids.ts'
import type { NodeRecord, ReadOptions, Wave, WaveAnswer } from '../../store/contract.ts'
import { assertTimely } from '../../store/settle.ts'
import { command } from './command.ts'
import { askTests } from './edge-tests.ts'
import type { Keys } from './keys.ts'
import { decodeRows, rangeCommand, toSlice } from './range.ts'
import { decodeNode, decodeToken } from './records.ts'
import { type Reply, Round } from './round.ts'
import type { Sender } from './sender.ts'

type Nodes = Map<NodeId, NodeRecord | undefined>

const askNodes = (round: Round, keys: Keys, ids: readonly NodeId[]): ReadonlyMap<NodeId, Reply> =>
  round.askEach(ids, id => command('get', keys.node(id)))

const addNodes = (nodes: Nodes, replies: ReadonlyMap<NodeId, Reply>): void => {
  for (const [id, reply] of replies) {
    const text = reply()
    nodes.set(id, typeof text === 'string' ? decodeNode(id, text) : undefined)
  }
}

/** Answers a wave in one round, and a second one for the nodes that its ranges lead to. */
export const readWave = async (
  sender: Sender,
  keys: Keys,
  wave: Wave,
  options: ReadOptions,
): Promise<WaveAnswer> => {
  const round = new Round()
  const asked = askNodes(round, keys, wave.nodes)
  const tokens = round.askEach(wave.tokens, digest => command('get', keys.token(digest)))
  const readTests = askTests(round, keys, wave.tests)
  const ranges = wave.ranges.map(range => ({ range, reply: round.ask(rangeCommand(keys, range)) }))
  await round.send(sender)

  const nodes: Nodes = new Map()
  addNodes(nodes, asked)
  const walks = ranges.map(({ range, reply }) => ({ range, walked: decodeRows(reply(), range) }))
  const targets = walks.flatMap(({ walked }) => walked.rows.map(row => row.target))
  await addTargets(sender, keys, nodes, targets, options)
  return {
    nodes: wave.nodes.map(id => nodes.get(id)),
    ranges: walks.map(({ range, walked }) => toSlice(walked, range, nodes)),
    tests: readTests(),
    tokens: wave.tokens.map(digest => {
      const text = tokens.get(digest)?.()
      return typeof text === 'string' ? decodeToken(text) : undefined
    }),
  }
}

/** Reads the targets that are not known yet, if anybody still waits for them. */
const addTargets = async (
  sender: Sender,
  keys: Keys,
  nodes: Nodes,
  targets: readonly NodeId[],
  options: ReadOptions,
): Promise<void> => {
  const unknown = targets.filter(target => !nodes.has(target))
  if (unknown.length === 0) return
  assertTimely(options)
  const round = new Round()
  const asked = askNodes(round, keys, unknown)
  await round.send(sender)
  addNodes(nodes, asked)
}
