import type { NodeId } from '../base/ids.ts'
import type { CheckedCounts } from '../check/check-store.ts'
import { type RepairAction, repairActionOf } from '../check/repair-plan.ts'
import type { SchemaError } from '../check/schema-errors.ts'
import type { EdgeKey } from '../store/contract.ts'
import type { Finding, FindingKind } from '../store/inspection.ts'
import { formatCount } from './format-count.ts'
import { quoteName } from './safe-text.ts'

/** The singular and the plural of each kind. */
const KIND_WORDS: { readonly [kind in FindingKind]: readonly [one: string, many: string] } = {
  damagedNode: ['damaged node', 'damaged nodes'],
  damagedEdge: ['damaged edge', 'damaged edges'],
  danglingEdge: ['dangling edge', 'dangling edges'],
  staleEdge: ['stale entry', 'stale entries'],
  missingReverseEntry: ['missing reverse entry', 'missing reverse entries'],
  staleReverseEntry: ['stale reverse entry', 'stale reverse entries'],
  wrongCount: ['wrong count', 'wrong counts'],
  emptyCount: ['empty count', 'empty counts'],
  halfMirror: ['half mirror', 'half mirrors'],
  unequalMirror: ['unequal mirror', 'unequal mirrors'],
  unfinishedMirror: ['unfinished second side', 'unfinished second sides'],
  unfinishedEntry: ['unfinished entry of a collection', 'unfinished entries of collections'],
  recentNote: ['node with recent recovery notes', 'nodes with recent recovery notes'],
  damagedNote: ['damaged note', 'damaged notes'],
  unfinishedDeletion: ['unfinished deletion', 'unfinished deletions'],
  missingEntry: ['missing entry', 'missing entries'],
  wrongEntry: ['wrong entry', 'wrong entries'],
  strayEntry: ['entry without record', 'entries without record'],
  undeclaredEntry: [
    'entry of a collection or order that the schema does not declare',
    'entries of collections or orders that the schema does not declare',
  ],
}

/** The words for leftovers of which only the number is known, not whether something is unfinished. */
const LEFTOVER_WORDS: { readonly [kind in FindingKind]?: readonly [one: string, many: string] } = {
  unfinishedMirror: ['node with recovery notes', 'nodes with recovery notes'],
  unfinishedDeletion: ['node that is being deleted', 'nodes that are being deleted'],
}

const SCHEMA_ERROR_WORDS: { readonly [kind in SchemaError['kind']]: string } = {
  unknownType: 'the schema does not declare this type',
  unknownField: 'the schema does not declare this field as a stored one',
  unknownEdge: 'the schema does not declare this edge or list',
  wrongTarget: 'the target has a type that the schema does not allow',
  missingValue: 'the value is missing, although every record must have one',
  badValue: 'the value is not valid for the type of the field',
}

/** Formats the key of an edge or entry for a line of output. */
export const formatEdge = ({ source, name, target }: EdgeKey): string =>
  `${source} ${quoteName(name)} ${target}`

const formatDetails = (finding: Finding): string => {
  switch (finding.kind) {
    case 'wrongCount':
      return `${finding.source} ${quoteName(finding.name)}: the count is ${finding.stored}, the number of edges ${finding.actual}`
    case 'emptyCount':
      return `${finding.source} ${quoteName(finding.name)}`
    case 'halfMirror': {
      const reason = finding.isDeleted ? 'was deleted' : 'is missing'
      return `${formatEdge(finding.edge)}: the mirror ${formatEdge(finding.mirror)} ${reason}`
    }
    case 'unequalMirror':
      return `${formatEdge(finding.edge)}: the mirror ${formatEdge(finding.mirror)} has another time or other data`
    case 'missingEntry':
    case 'strayEntry':
      return formatEdge(finding.entry)
    case 'wrongEntry':
      return `${formatEdge(finding.entry)}: it has another time or other data than its record`
    case 'damagedNode':
    case 'unfinishedMirror':
    case 'unfinishedEntry':
    case 'recentNote':
    case 'damagedNote':
    case 'unfinishedDeletion':
      return `node ${finding.id}`
    default:
      return formatEdge(finding.edge)
  }
}

/** The number of findings of each kind that are printed. The others are only counted. */
const MAX_PRINTED = 20
/** The number of ids that are printed for each contradiction to the schema. */
const MAX_IDS = 3
/** The number of different contradictions that are distinguished. Stored names can be of any number. */
const MAX_SCHEMA_ERRORS = 1000

type SchemaErrorGroup = { readonly error: SchemaError; count: number; readonly ids: NodeId[] }

/** Counts the results of one check, and keeps a few examples. */
export class CheckReport {
  readonly #counts = new Map<FindingKind, number>()
  readonly #leftovers = new Map<FindingKind, number>()
  readonly #actions = new Map<RepairAction, number>()
  readonly #groups = new Map<string, SchemaErrorGroup>()
  readonly #incompleteLists = new Set<string>()
  #otherSchemaErrors = 0
  readonly #print: (line: string) => void

  constructor(print: (line: string) => void) {
    this.#print = print
  }

  addFinding(finding: Finding): void {
    const count = (this.#counts.get(finding.kind) ?? 0) + 1
    this.#counts.set(finding.kind, count)
    const action = repairActionOf(finding)
    this.#actions.set(action, this.countOf(action) + 1)
    if (count <= MAX_PRINTED) this.#print(`${KIND_WORDS[finding.kind][0]}: ${formatDetails(finding)}`)
    if (count === MAX_PRINTED + 1)
      this.#print(`${KIND_WORDS[finding.kind][1]}: there are more, which are not listed`)
  }

  addLeftover(leftover: Finding): void {
    const action = repairActionOf(leftover)
    this.#actions.set(action, this.countOf(action) + 1)
    this.#leftovers.set(leftover.kind, (this.#leftovers.get(leftover.kind) ?? 0) + 1)
  }

  /** Adds a collection or order whose completion flag is not set. */
  addIncompleteList(description: string): void {
    if (this.#incompleteLists.has(description)) return
    this.#incompleteLists.add(description)
    this.#print(`incomplete list: ${description}; to build it, run npx kithgraph collect URL --schema FILE`)
  }

  addSchemaError(error: SchemaError, id: NodeId): void {
    const key = JSON.stringify([error.kind, error.type, ...error.path])
    const group = this.#groups.get(key)
    if (group !== undefined) {
      group.count++
      if (group.ids.length < MAX_IDS && !group.ids.includes(id)) group.ids.push(id)
    } else if (this.#groups.size < MAX_SCHEMA_ERRORS) this.#groups.set(key, { error, count: 1, ids: [id] })
    else this.#otherSchemaErrors++
  }

  /** Returns the number of findings and leftovers that an action repairs. */
  countOf(action: RepairAction): number {
    return this.#actions.get(action) ?? 0
  }

  /** Whether the check found nothing. */
  get isEmpty(): boolean {
    return this.#counts.size + this.#groups.size + this.#incompleteLists.size === 0
  }

  get hasLeftovers(): boolean {
    return this.#leftovers.size > 0
  }

  /** Prints the contradictions to the schema and the numbers of all findings. */
  printSummary({ nodes, edges, entries }: CheckedCounts): void {
    for (const { error, count, ids } of this.#groups.values()) {
      const path = [error.type, ...error.path].map(quoteName).join('.')
      this.#print(
        `contradiction: ${path}: ${SCHEMA_ERROR_WORDS[error.kind]}; ${formatCount(count, ['time', 'times'])}, such as in ${ids.join(', ')}`,
      )
    }
    if (this.#otherSchemaErrors > 0) this.#print(`contradiction: ${this.#otherSchemaErrors} others`)
    const leftovers = [...this.#leftovers].map(([kind, count]) =>
      formatCount(count, LEFTOVER_WORDS[kind] ?? KIND_WORDS[kind]),
    )
    if (leftovers.length > 0) this.#print(`note: ${leftovers.join(', ')} (from normal operation)`)
    const found = [...this.#counts].map(([kind, count]) => formatCount(count, KIND_WORDS[kind]))
    const contradictions = [...this.#groups.values()].reduce(
      (sum, { count }) => sum + count,
      this.#otherSchemaErrors,
    )
    if (contradictions > 0) found.push(formatCount(contradictions, ['contradiction', 'contradictions']))
    if (this.#incompleteLists.size > 0)
      found.push(formatCount(this.#incompleteLists.size, ['incomplete list', 'incomplete lists']))
    const records = [formatCount(nodes, ['node', 'nodes']), formatCount(edges, ['edge', 'edges'])]
    const read =
      entries === 0
        ? records.join(' and ')
        : `${records.join(', ')} and ${formatCount(entries, ['entry', 'entries'])}`
    this.#print(`checked ${read}: ${found.length === 0 ? 'no errors' : found.join(', ')}`)
  }
}
