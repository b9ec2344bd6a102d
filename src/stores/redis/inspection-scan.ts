import type { NodeId } from '../../base/ids.ts'
import { isDerivedList, ROOT_ID } from '../../store/derived-entries.ts'
import { EMPTY_PAGE, type Finding, type InspectedEdge, type InspectionPage } from '../../store/inspection.ts'
import { divideIntoPages } from '../dump-lines.ts'
import { inspectShardRows } from './collection-inspection.ts'
import type { CommandSender, RedisClient } from './command-sender.ts'
import { createCommand, parseListReply } from './commands.ts'
import {
  decodeReverseEntry,
  encodeReverseEntry,
  type Generation,
  hasDataSuffix,
  parseMember,
  parseMemberGeneration,
  toMember,
  toMemberWithData,
  withoutDataSuffix,
} from './encoding.ts'
import { type ReadTexts, readNodeInfos, readStoredNodes, scanEntries } from './inspection-reads.ts'
import { KeyspaceScanner, type ParsedKey } from './keyspace-scan.ts'
import type { RedisKeys } from './redis-keys.ts'
import { parseData } from './stored-json.ts'
import { confirmSuspects, type Suspect } from './suspects.ts'
import { UnfinishedWrites } from './unfinished.ts'

/** The connection and the names with which an inspection reads. */
export type Inspection = {
  readonly client: RedisClient
  readonly sender: CommandSender
  readonly keys: RedisKeys
  readonly prefix: string
}

async function* readNodePages(
  { sender, keys }: Inspection,
  ids: readonly NodeId[],
): AsyncGenerator<InspectionPage> {
  const sizes = await sender.send(ids.map(id => createCommand('strlen', keys.node(id))))
  let start = 0
  for (const count of divideIntoPages(sizes.map(Number))) {
    const rows = await readStoredNodes(sender, keys, ids.slice(start, start + count))
    start += count
    const findings = rows.flatMap(({ id, node }): Finding[] =>
      node === undefined ? [{ kind: 'damagedNode', id }] : [],
    )
    yield { ...EMPTY_PAGE, nodes: rows.flatMap(({ node }) => node ?? []), findings }
  }
}

/** An entry of a list. */
type ListEntry = {
  readonly source: NodeId
  readonly name: string
  readonly text: string
  readonly time: number
}

const toEntries = ({ id, suffix, texts }: ReadTexts): readonly ListEntry[] =>
  texts.flatMap((text, index) =>
    index % 2 === 0 ? { source: id, name: suffix, text, time: Number(texts[index + 1]) } : [],
  )

const toSuspect = ({ source, name, text }: ListEntry): Suspect => ({
  kind: 'listed',
  edge: { source, name, target: parseMember(text) },
  member: withoutDataSuffix(text),
})

/** Adds the data of edges whose entries are marked. Generates pages of at most 8 MB of data. */
async function* readDataPages(
  { sender, keys }: Inspection,
  edges: readonly { readonly entry: ListEntry; readonly edge: InspectedEdge }[],
): AsyncGenerator<InspectionPage> {
  const dataCommand = (name: 'hstrlen' | 'hget', { source, name: listName, text }: ListEntry) =>
    createCommand(name, keys.edgeData(source, listName), withoutDataSuffix(text))
  const sizes = await sender.send(edges.map(({ entry }) => dataCommand('hstrlen', entry)))
  let start = 0
  for (const count of divideIntoPages(sizes.map(Number))) {
    const part = edges.slice(start, start + count)
    start += count
    const texts = await sender.send(part.map(({ entry }) => dataCommand('hget', entry)))
    const read = part.map(({ entry, edge }, index) => ({
      entry,
      edge: { ...edge, data: parseData(String(texts[index]))?.[1] },
    }))
    const suspects = read.flatMap(({ entry, edge }) => (edge.data === undefined ? toSuspect(entry) : []))
    yield {
      ...EMPTY_PAGE,
      edges: read.flatMap(({ edge }) => (edge.data === undefined ? [] : edge)),
      findings: await confirmSuspects(sender, keys, suspects),
    }
  }
}

/** An edge between existing nodes, with the entry of its list and the generation of its source. */
type CurrentEdge = {
  readonly entry: ListEntry
  readonly edge: InspectedEdge
  readonly generation: Generation
}

/** Returns the edges whose ends exist and have the generations that the entries name. */
const readCurrentEdges = async (
  { sender, keys }: Inspection,
  entries: readonly ListEntry[],
): Promise<readonly CurrentEdge[]> => {
  const ids = entries.flatMap(({ source, text }) => [source, parseMember(text)])
  const infos = await readNodeInfos(sender, keys, ids)
  return entries.flatMap(entry => {
    const [source, target] = [infos.get(entry.source), infos.get(parseMember(entry.text))]
    if (source === undefined || target?.generation !== parseMemberGeneration(entry.text)) return []
    const key = { source: entry.source, name: entry.name, target: parseMember(entry.text) }
    const types = { sourceType: source.type, targetType: target.type }
    const edge = { ...key, time: entry.time, data: undefined, ...types }
    return { entry, edge, generation: source.generation }
  })
}

/** Checks entries of lists against both of their nodes, and against the reverse entries at their targets. */
async function* checkListEntries(
  inspection: Inspection,
  entries: readonly ListEntry[],
): AsyncGenerator<InspectionPage> {
  const { sender, keys } = inspection
  const current = await readCurrentEdges(inspection, entries)
  // Entries of orders have no reverse entries.
  const edges = current.filter(({ edge }) => !isDerivedList(edge))
  const replies = await sender.send(
    edges.map(({ edge: { source, name, target }, generation }) => {
      const entry = encodeReverseEntry({ source, name, generation })
      return createCommand('sismember', keys.reverseEntries(target), entry)
    }),
  )
  const incomplete = new Set(edges.filter((_, index) => Number(replies[index]) !== 1))
  const confirmed = new Set(current.flatMap(edge => (incomplete.has(edge) ? [] : edge.entry)))
  const suspects = entries.filter(entry => !confirmed.has(entry)).map(toSuspect)
  yield {
    ...EMPTY_PAGE,
    edges: current.flatMap(({ entry, edge }) => (hasDataSuffix(entry.text) ? [] : edge)),
    findings: await confirmSuspects(sender, keys, suspects),
  }
  yield* readDataPages(
    inspection,
    current.filter(({ entry }) => hasDataSuffix(entry.text)),
  )
}

/** Returns the reverse entries whose edges were not found. */
const findReverseSuspects = async (
  { sender, keys }: Inspection,
  pages: readonly ReadTexts[],
): Promise<readonly Suspect[]> => {
  const entries = pages.flatMap(({ id, texts }) =>
    texts.map(text => ({ target: id, entry: decodeReverseEntry(text) })),
  )
  const infos = await readNodeInfos(
    sender,
    keys,
    entries.flatMap(({ target, entry }) => [target, entry.source]),
  )
  const replies = await sender.send(
    entries.map(({ target, entry: { source, name } }) => {
      const member = toMember(target, infos.get(target)?.generation)
      return createCommand('zmscore', keys.list(source, name), member, toMemberWithData(member))
    }),
  )
  return entries.flatMap(({ target, entry }, index): Suspect[] => {
    const isListed = parseListReply(replies[index]).some(score => score !== null)
    const isCurrent = infos.has(target) && infos.get(entry.source)?.generation === entry.generation
    if (isListed && isCurrent) return []
    return [{ kind: 'reverse', edge: { source: entry.source, name: entry.name, target }, entry }]
  })
}

const readUnfinished = async (
  unfinishedWrites: UnfinishedWrites,
  ids: readonly NodeId[],
): Promise<InspectionPage> => {
  const states = await Promise.all(ids.map(id => unfinishedWrites.read(id)))
  return {
    ...EMPTY_PAGE,
    findings: states.flatMap(({ findings }) => findings),
    leftovers: states.flatMap(({ leftovers }) => leftovers),
  }
}

/** Reads the whole store, one page of its keys after the other. */
export async function* scanStore(inspection: Inspection): AsyncGenerator<InspectionPage> {
  const { client, prefix, sender, keys } = inspection
  const unfinishedWrites = new UnfinishedWrites(sender, keys)
  for await (const page of new KeyspaceScanner(client, prefix).scan('')) {
    const ofKind = (kind: string): readonly ParsedKey[] =>
      page.flatMap(({ id, tag, suffix }) =>
        suffix.startsWith(kind) ? { id, tag, suffix: suffix.slice(kind.length) } : [],
      )
    const idsOf = (kind: string) => ofKind(kind).map(({ id }) => id)
    yield* readNodePages(inspection, idsOf('n'))
    for await (const lists of scanEntries(sender, 'zscan', ofKind('e'), ({ tag, suffix }) =>
      keys.list(tag, suffix),
    )) {
      const entries = lists.flatMap(toEntries)
      yield* checkListEntries(
        inspection,
        entries.filter(({ source }) => source !== ROOT_ID),
      )
      const rows = entries.filter(({ source }) => source === ROOT_ID)
      yield { ...EMPTY_PAGE, ...(await inspectShardRows(sender, keys, rows)) }
    }
    for await (const sets of scanEntries(sender, 'sscan', ofKind('r'), ({ id }) => keys.reverseEntries(id))) {
      const suspects = await findReverseSuspects(inspection, sets)
      yield { ...EMPTY_PAGE, findings: await confirmSuspects(sender, keys, suspects) }
    }
    yield await readUnfinished(unfinishedWrites, [...new Set([...idsOf('u'), ...idsOf('p')])])
  }
}
