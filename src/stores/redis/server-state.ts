import type { RedisClient } from './command-sender.ts'
import { SLOT_COUNT } from './key-slot.ts'

/** A client of one server. */
export type ServerClient = Pick<RedisClient, 'call'>

/** Returns clients of the servers that a client takes for masters. */
export const listMasters = (client: RedisClient): readonly ServerClient[] =>
  client.nodes?.('master') ?? [client]

/** The state of one server: as far as possible, the server reports only about itself. */
export type ServerState = {
  /** The name of the server in its cluster; empty outside a cluster. */
  readonly nodeId: string
  /** Changes with each start of the process. */
  readonly runId: string
  /** Changes when the server becomes a master, or receives the data of another master. */
  readonly historyId: string
  /** The number of bytes of the history that the server has. */
  readonly offset: number
  /** The history that the current one continues; undefined if the server has always been a master. */
  readonly previousHistoryId: string | undefined
  /** The number of bytes that the server had of the previous history when the current one began, plus one. */
  readonly historyStart: number
  /** The slots of the server. Outside a cluster, a master has all of them. A replica has none. */
  readonly slots: ReadonlySet<number>
  readonly hasMovingSlots: boolean
  /** The slots of all masters of the cluster, as this server sees them. */
  readonly slotMap: string
  /**
   * The number of bytes that each connected replica has confirmed; 0 while it copies all data. A replica
   * confirms once a second.
   */
  readonly replicaOffsets: readonly number[]
  /**
   * Whether a replica may replace the server: one is connected, one of the cluster is not, or one was connected
   * during the last hour.
   */
  readonly hasReplicas: boolean
  /** Equal for two states if the server had the same slots and data all the time in between. */
  readonly fingerprint: string
}

/** The parts of a line of `cluster nodes`. */
type ClusterNodeLine = {
  readonly id: string
  readonly isMyself: boolean
  /** The master of a replica that the cluster has not given up. */
  readonly masterId: string | undefined
  readonly epoch: string
  readonly ranges: readonly string[]
  readonly hasMovingSlots: boolean
}

const FIRST_SLOT_INDEX = 8

const parseNodeLine = (line: string): ClusterNodeLine => {
  const words = line.split(' ')
  const [id = '', , flagText = '', master = '', , , epoch = ''] = words
  const flags = flagText.split(',')
  const slotWords = words.slice(FIRST_SLOT_INDEX).filter(word => word !== '')
  // The words for moving slots are `[slot->-target]` and `[slot-<-source]`. Only the server itself has them.
  const ranges = slotWords.filter(word => !word.startsWith('['))
  return {
    id,
    isMyself: flags.includes('myself'),
    masterId: flags.includes('slave') && !flags.includes('fail') ? master : undefined,
    epoch,
    ranges,
    hasMovingSlots: ranges.length < slotWords.length,
  }
}

/** Parses ranges such as `0-5460` and `7000`. */
const parseRanges = (ranges: readonly string[]): ReadonlySet<number> => {
  const slots = new Set<number>()
  for (const range of ranges) {
    const [first = '', last = first] = range.split('-')
    for (let slot = Number(first); slot <= Number(last); slot++) slots.add(slot)
  }
  return slots
}

/** The state of a server that depends on its cluster. */
type SlotState = Pick<ServerState, 'nodeId' | 'hasMovingSlots' | 'slotMap' | 'hasReplicas'> & {
  /** Changes when the server receives slots, or becomes a master. */
  readonly epoch: string
  readonly ranges: readonly string[]
}

const readClusterState = async (client: ServerClient): Promise<SlotState> => {
  const text = String(await client.call('cluster', ['NODES']))
  const nodes = text.split('\n').map(parseNodeLine)
  const ownNode = nodes.find(({ isMyself }) => isMyself)
  const owners = nodes.filter(({ ranges }) => ranges.length > 0)
  return {
    nodeId: ownNode?.id ?? '',
    epoch: ownNode?.epoch ?? '',
    ranges: ownNode?.ranges ?? [],
    hasMovingSlots: ownNode?.hasMovingSlots ?? false,
    hasReplicas: nodes.some(({ masterId }) => masterId !== undefined && masterId === ownNode?.id),
    slotMap: owners
      .map(({ id, ranges }) => `${id} ${ranges.join(' ')}`)
      .sort()
      .join('\n'),
  }
}

const createSingleServerState = (isMaster: boolean): SlotState => ({
  nodeId: '',
  epoch: '',
  ranges: isMaster ? [`0-${SLOT_COUNT - 1}`] : [],
  hasMovingSlots: false,
  slotMap: '',
  hasReplicas: false,
})

/** Parses the lines `name:value` of `info`. */
const parseInfo = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\r\n').map(line => {
      const colonIndex = line.indexOf(':')
      return [line.slice(0, colonIndex), line.slice(colonIndex + 1)] as const
    }),
  )

/** Parses the values of `slave0`, `slave1` and so on: `ip=…,port=…,state=online,offset=…,lag=…`. */
const parseReplicaOffsets = (info: ReadonlyMap<string, string>): readonly number[] =>
  [...info].flatMap(([name, value]) =>
    /^slave\d+$/.test(name) ? Number(/,state=online,offset=(\d+)/.exec(value)?.[1] ?? 0) : [],
  )

/** The id of a previous history that does not exist. */
const NO_HISTORY = /^0*$/

/** Reads the state of a server. A client of a single server may be connected to a server of a cluster. */
export const readServerState = async (client: ServerClient): Promise<ServerState> => {
  const info = parseInfo(String(await client.call('info', [])))
  const read = (name: string): string => info.get(name) ?? ''
  const slotState =
    read('cluster_enabled') === '1'
      ? await readClusterState(client)
      : createSingleServerState(read('role') === 'master')
  const { epoch, ranges, ...state } = slotState
  const runId = read('run_id')
  const historyId = read('master_replid')
  const previousHistoryId = read('master_replid2')
  const replicaOffsets = parseReplicaOffsets(info)
  return {
    ...state,
    slots: parseRanges(ranges),
    runId,
    historyId,
    offset: Number(read('master_repl_offset')),
    previousHistoryId: NO_HISTORY.test(previousHistoryId) ? undefined : previousHistoryId,
    historyStart: Number(read('second_repl_offset')),
    replicaOffsets,
    // A master keeps this buffer for an hour after it has lost its last replica.
    hasReplicas: state.hasReplicas || replicaOffsets.length > 0 || read('repl_backlog_active') === '1',
    fingerprint: [state.nodeId, runId, historyId, epoch, ...ranges].join(),
  }
}

/** Joins the fingerprints of servers, whatever their order. */
export const joinFingerprints = (states: readonly ServerState[]): string =>
  states
    .map(({ fingerprint }) => fingerprint)
    .sort()
    .join('\n')
