import type { CollectedCounts } from '../check/collect.ts'
import type { FlagsByList } from '../store/complete-lists.ts'
import { listKeyOf } from '../store/complete-lists.ts'
import { type DerivedEntry, edgeOfEntry, ROOT_ID } from '../store/derived-entries.ts'
import type { Finding } from '../store/inspection.ts'
import { formatEdge } from './check-report.ts'
import { formatCount } from './format-count.ts'
import { quoteName } from './safe-text.ts'

/** The time between two lines about the progress, in milliseconds. */
const PROGRESS_INTERVAL_MS = 10_000

/** The number of records that are named for each list that does not contain them. */
const MAX_NAMED = 3

/** Records that are not in a list for the same reason. */
type RecordGroup = {
  readonly list: string
  readonly words: readonly [one: string, many: string]
  readonly reason: string
  readonly names: string[]
  count: number
}

const formatCounts = ({ nodes, edges, entries }: CollectedCounts): string =>
  `${formatCount(nodes, ['node', 'nodes'])} and ${formatCount(edges, ['edge', 'edges'])}: ` +
  formatCount(entries, ['entry', 'entries'])

/** Prints the progress of `collect` and its result, and counts the records that are in no list. */
export class CollectReport {
  readonly #print: (line: string) => void
  readonly #flagsByList: FlagsByList
  readonly #groups = new Map<string, RecordGroup>()
  #lastProgressAt = Date.now()

  constructor(flagsByList: FlagsByList, print: (line: string) => void) {
    this.#flagsByList = flagsByList
    this.#print = print
  }

  printProgress(counts: CollectedCounts): void {
    if (Date.now() - this.#lastProgressAt < PROGRESS_INTERVAL_MS) return
    this.#lastProgressAt = Date.now()
    this.#print(`so far ${formatCounts(counts)}`)
  }

  /** Adds a record that has no value by which a list can be ordered. */
  addUnordered(entry: DerivedEntry): void {
    const isNode = entry.source === ROOT_ID
    this.#add(isNode ? entry.target : formatEdge(edgeOfEntry(entry)), {
      list: this.#flagsByList.get(listKeyOf(entry))?.description ?? quoteName(entry.name),
      words: isNode ? ['node', 'nodes'] : ['edge', 'edges'],
      reason: ` without a valid value of ${quoteName(entry.by?.field ?? '')}`,
    })
  }

  /** Adds a record that cannot be read. */
  addDamaged(finding: Finding): void {
    if (finding.kind === 'damagedNode')
      this.#add(finding.id, { list: 'any list', words: ['damaged node', 'damaged nodes'], reason: '' })
    if (finding.kind === 'damagedEdge')
      this.#add(formatEdge(finding.edge), {
        list: 'any list',
        words: ['damaged edge', 'damaged edges'],
        reason: '',
      })
  }

  /** Whether every record is in its lists. */
  get isEmpty(): boolean {
    return this.#groups.size === 0
  }

  /** Prints the number of entries, the lists that are complete now, and the records that they do not contain. */
  printSummary(counts: CollectedCounts): void {
    for (const { list, words, reason, count, names } of this.#groups.values())
      this.#print(`not in ${list}: ${formatCount(count, words)}${reason}, such as ${names.join(', ')}`)
    this.#print(`collected ${formatCounts(counts)}`)
    const descriptions = new Set([...this.#flagsByList.values()].map(({ description }) => description))
    this.#print(`complete: ${[...descriptions].join(', ')}`)
  }

  #add(name: string, group: Pick<RecordGroup, 'list' | 'words' | 'reason'>): void {
    const key = `${group.list} ${group.words[0]}${group.reason}`
    const known = this.#groups.get(key) ?? { ...group, names: [], count: 0 }
    this.#groups.set(key, known)
    known.count++
    if (known.names.length < MAX_NAMED) known.names.push(name)
  }
}
