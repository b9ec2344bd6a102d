import type { NodeId } from '../../base/ids.ts'
import { isNonArrayObject, type JsonObject } from '../../base/json.ts'
import type { EdgeKey, NodeRecord } from '../../store/contract.ts'
import { ROOT_ID } from '../../store/derived-entries.ts'
import {
  type EdgeListKey,
  EMPTY_PAGE,
  type Finding,
  type InspectedEdge,
  type InspectionPage,
  PAGE_SIZE,
} from '../../store/inspection.ts'
import { divideIntoPages } from '../dump-lines.ts'
import { toSource, toSourceNumber } from '../source-number.ts'
import { toKeyColumns } from './conditional-writes.ts'
import type { Row, RunStatement, Statement } from './database.ts'
import type { InspectionStatements } from './inspection-statements.ts'
import { decodeText, encodeText } from './stored-text.ts'

/** The number of rows of the table of counts in a page. Few, because counting long lists takes time. */
const COUNT_ROWS_PER_PAGE = 100

const TRUE = 't'

const isJsonObject = (value: unknown): value is JsonObject => isNonArrayObject(value)

/** Decodes a node, whose fields may be JSON of another form. */
const decodeNodeRow = ([id, type, fieldsText]: Row): { id: NodeId; node: NodeRecord | undefined } => {
  const fields: unknown = JSON.parse(fieldsText ?? 'null')
  const node = isJsonObject(fields) ? { id: id ?? '', type: decodeText(type ?? ''), fields } : undefined
  return { id: id ?? '', node }
}

type EdgeRow = {
  readonly edge: InspectedEdge
  readonly isDamaged: boolean
  readonly hasEntry: boolean
}

const decodeType = (type: string | null | undefined): string | undefined =>
  type === null || type === undefined ? undefined : decodeText(type)

const decodeEdgeRow = ([
  sourceNumber,
  name,
  time,
  target,
  dataText,
  sourceType,
  targetType,
  hasEntry,
]: Row): EdgeRow => {
  const data: unknown = JSON.parse(dataText ?? 'null')
  const source = toSource(sourceNumber ?? '')
  const edge: InspectedEdge = {
    source,
    name: decodeText(name ?? ''),
    target: target ?? '',
    time: Number(time),
    data: isJsonObject(data) ? data : undefined,
    sourceType: source === ROOT_ID ? ROOT_ID : decodeType(sourceType),
    targetType: decodeType(targetType),
  }
  return { edge, isDamaged: dataText !== null && edge.data === undefined, hasEntry: hasEntry === TRUE }
}

const toKeyText = ({ source, name, target }: EdgeKey): string => JSON.stringify([source, name, target])

/** Reads edges at one moment. */
export const readEdges = async (
  run: RunStatement,
  { edgesByKey }: InspectionStatements,
  keys: readonly EdgeKey[],
): Promise<readonly (InspectedEdge | undefined)[]> => {
  const rows = await run(edgesByKey, toKeyColumns(keys))
  const edges = new Map(rows.map(row => decodeEdgeRow(row).edge).map(edge => [toKeyText(edge), edge]))
  return keys.map(key => edges.get(toKeyText(key)))
}

export const readNodes = async (
  run: RunStatement,
  { nodesById }: InspectionStatements,
  ids: readonly NodeId[],
): Promise<readonly (NodeRecord | undefined)[]> => {
  const rows = await run(nodesById, [ids])
  const nodes = new Map(rows.map(decodeNodeRow).map(({ id, node }) => [id, node]))
  return ids.map(id => nodes.get(id))
}

/**
 * Reads all rows of a table, page by page, each after the last key of the previous page. A page has at most
 * `PAGE_SIZE` rows and 8 MB.
 */
async function* readPages(
  run: RunStatement,
  sizes: Statement,
  records: Statement,
  keyBeforeFirst: readonly string[],
): AsyncGenerator<readonly Row[]> {
  let lastKey = keyBeforeFirst
  for (;;) {
    const cells = await run(sizes, [...lastKey, `${PAGE_SIZE}`])
    if (cells.length === 0) return
    for (const size of divideIntoPages(cells.map(([cell]) => Number(cell)))) {
      const rows = await run(records, [...lastKey, `${size}`])
      lastKey =
        rows
          .at(-1)
          ?.slice(0, lastKey.length)
          .map(cell => cell ?? '') ?? lastKey
      yield rows
    }
  }
}

export async function* readNodePages(
  run: RunStatement,
  { nodeSizes, nodes }: InspectionStatements,
): AsyncGenerator<InspectionPage> {
  for await (const page of readPages(run, nodeSizes, nodes, ['0'])) {
    const rows = page.map(decodeNodeRow)
    const findings = rows.flatMap(({ id, node }): Finding[] =>
      node === undefined ? [{ kind: 'damagedNode', id }] : [],
    )
    yield { ...EMPTY_PAGE, nodes: rows.flatMap(({ node }) => node ?? []), findings }
  }
}

/** The count of a list, and the number of its edges. `stored` is undefined if there is no row. */
type ListCount = EdgeListKey & {
  readonly stored: number | undefined
  readonly actual: number
  readonly hasSource: boolean
}

const readCounts = async (
  run: RunStatement,
  { counts }: InspectionStatements,
  lists: readonly EdgeListKey[],
): Promise<readonly ListCount[]> => {
  if (lists.length === 0) return []
  const names = lists.map(({ name }) => encodeText(name))
  const rows = await run(counts, [lists.map(({ source }) => toSourceNumber(source)), names])
  return rows.map(([source, name, stored, actual, hasSource]) => ({
    source: toSource(source ?? ''),
    name: decodeText(name ?? ''),
    stored: stored === null || stored === undefined ? undefined : Number(stored),
    actual: Number(actual),
    hasSource: hasSource === TRUE || toSource(source ?? '') === ROOT_ID,
  }))
}

/** Whether a list has no edges and a count of 0. A list of an existing node keeps such a count. */
const isEmpty = ({ stored, actual }: ListCount): boolean => stored === 0 && actual === 0

const toCountFindings = (counts: readonly ListCount[]): readonly Finding[] =>
  counts.flatMap((count): Finding[] => {
    const { source, name, stored = 0, actual, hasSource } = count
    if (stored !== actual) return [{ kind: 'wrongCount', source, name, stored, actual }]
    return isEmpty(count) && !hasSource ? [{ kind: 'emptyCount', source, name }] : []
  })

const isSameList = (a: EdgeListKey | undefined, b: EdgeListKey | undefined): boolean =>
  a?.source === b?.source && a?.name === b?.name

/** Returns the lists of sorted rows, each once, without the list of the previous page's last row. */
const distinctLists = <TList extends EdgeListKey>(
  rows: readonly TList[],
  previous: EdgeListKey | undefined,
): readonly TList[] => rows.filter((row, index) => !isSameList(row, rows[index - 1] ?? previous))

export async function* readEdgePages(
  run: RunStatement,
  statements: InspectionStatements,
): AsyncGenerator<InspectionPage> {
  let last: EdgeListKey | undefined
  for await (const page of readPages(run, statements.edgeSizes, statements.edges, ['0', '', '0', '0'])) {
    const rows = page.map(decodeEdgeRow)
    const edges = rows.map(({ edge }) => edge)
    const counts = await readCounts(run, statements, distinctLists(edges, last))
    last = edges.at(-1) ?? last
    const findings = rows.flatMap(({ edge: { source, name, target }, isDamaged, hasEntry }): Finding[] => {
      const edge = { source, name, target }
      const damaged: Finding[] = isDamaged ? [{ kind: 'damagedEdge', edge }] : []
      return hasEntry ? damaged : [...damaged, { kind: 'missingReverseEntry', edge }]
    })
    const uncounted = toCountFindings(counts.filter(({ stored }) => stored === undefined))
    yield {
      ...EMPTY_PAGE,
      edges: rows.flatMap(({ edge, isDamaged }) => (isDamaged ? [] : edge)),
      findings: [...findings, ...uncounted],
    }
  }
}

export async function* readEntryPages(
  run: RunStatement,
  { entries }: InspectionStatements,
): AsyncGenerator<InspectionPage> {
  let last: readonly string[] = ['0', '0', '']
  for (;;) {
    const rows = await run(entries, [...last, `${PAGE_SIZE}`])
    if (rows.length === 0) return
    last =
      rows
        .at(-1)
        ?.slice(0, last.length)
        .map(cell => cell ?? '') ?? last
    const findings = rows.flatMap(([target, source, name, hasEdge]): Finding[] => {
      const edge = { source: toSource(source ?? ''), name: decodeText(name ?? ''), target: target ?? '' }
      return hasEdge === TRUE ? [] : [{ kind: 'staleReverseEntry', edge }]
    })
    yield { ...EMPTY_PAGE, findings }
  }
}

export async function* readCountPages(
  run: RunStatement,
  statements: InspectionStatements,
): AsyncGenerator<InspectionPage> {
  let last: readonly string[] = ['0', '', '0']
  let lastList: EdgeListKey | undefined
  for (;;) {
    const rows = await run(statements.countRows, [...last, `${COUNT_ROWS_PER_PAGE}`])
    if (rows.length === 0) return
    last = rows.at(-1)?.map(cell => cell ?? '') ?? last
    const lists = rows.map(([source, name]) => ({
      source: toSource(source ?? ''),
      name: decodeText(name ?? ''),
    }))
    const counts = await readCounts(run, statements, distinctLists(lists, lastList))
    lastList = lists.at(-1)
    const leftovers = counts.flatMap((count): Finding[] =>
      // No node can be locked to remove the count of a collection, and there are few of them.
      isEmpty(count) && count.hasSource && count.source !== ROOT_ID
        ? [{ kind: 'emptyCount', source: count.source, name: count.name }]
        : [],
    )
    yield { ...EMPTY_PAGE, findings: toCountFindings(counts), leftovers }
  }
}
