import type { Awaitable } from '../base/awaitable.ts'
import { isSameJson } from '../base/json.ts'
import { listKeyOf } from '../store/complete-lists.ts'
import type { EdgeRecord, NodeRecord } from '../store/contract.ts'
import { type DerivedEntry, isDerivedList } from '../store/derived-entries.ts'
import {
  type EntryFinding,
  type Finding,
  type InspectedEdge,
  isDangling,
  type StoreInspector,
} from '../store/inspection.ts'
import type { DeclaredEntries } from './declared-entries.ts'
import { divide } from './divide.ts'
import { pause } from './pause.ts'
import { expectEntries, findStrayEntries, readExpected } from './record-entries.ts'

/**
 * The times before an entry that seems wrong is read again, in milliseconds. A writer in Redis writes an entry
 * shortly after its record.
 */
const PAUSES_MS: readonly number[] = [0, 10, 50]

const isSame = (a: EdgeRecord | undefined, b: EdgeRecord | undefined): boolean =>
  a?.time === b?.time && isSameJson(a?.data ?? null, b?.data ?? null)

const toFinding = (
  entry: DerivedEntry,
  expected: EdgeRecord | undefined,
  stored: EdgeRecord | undefined,
): EntryFinding => {
  if (stored === undefined) return { kind: 'missingEntry', entry }
  return expected === undefined ? { kind: 'strayEntry', entry } : { kind: 'wrongEntry', entry }
}

/** Receives the results, as those of a check of the whole store. */
type EntrySink = {
  onFinding(finding: Finding): Awaitable<void>
  onLeftover(leftover: Finding): Awaitable<void>
}

/** Checks the entries of complete collections and orders. */
export class EntryChecker {
  readonly #inspector: StoreInspector
  readonly #declared: DeclaredEntries
  readonly #completeLists: ReadonlySet<string>
  readonly #sink: EntrySink

  constructor(
    inspector: StoreInspector,
    declared: DeclaredEntries,
    completeLists: ReadonlySet<string>,
    sink: EntrySink,
  ) {
    this.#inspector = inspector
    this.#declared = declared
    this.#completeLists = completeLists
    this.#sink = sink
  }

  /** Checks the entries of the records of a page, and the stored entries in it. */
  async checkPage(nodes: readonly NodeRecord[], edges: readonly InspectedEdge[]): Promise<void> {
    const expectedEntries = expectEntries(this.#declared, { nodes, edges })
    for (const part of divide(expectedEntries.filter(({ entry }) => this.#isComplete(entry)))) {
      const stored = await this.#inspector.readEdges(part.map(({ entry }) => entry))
      const suspects = part.filter(({ expected }, index) => !isSame(expected, stored[index]))
      await this.#reportIfWrong(suspects.map(({ entry }) => entry))
    }
    for (const edge of edges)
      if (isDerivedList(edge) && !isDangling(edge) && this.#declared.find(edge) === undefined) {
        const { source, name, target } = edge
        await this.#sink.onLeftover({ kind: 'undeclaredEntry', edge: { source, name, target } })
      }
    const strayEntries = await findStrayEntries(this.#inspector, this.#declared, edges)
    for (const part of divide(strayEntries.filter(entry => this.#isComplete(entry))))
      await this.#reportIfWrong(part)
  }

  #isComplete(entry: DerivedEntry): boolean {
    return this.#completeLists.has(listKeyOf(entry))
  }

  /**
   * Reports entries that differ from their records at several moments. Each time, the record is read before and
   * after the entry, and must give the same entry, so that no write in between is reported.
   */
  async #reportIfWrong(entries: readonly DerivedEntry[]): Promise<void> {
    let suspects = entries
    let findings: readonly EntryFinding[] = []
    for (const pauseMs of PAUSES_MS) {
      if (suspects.length === 0) return
      await pause(pauseMs)
      findings = await this.#findWrong(suspects)
      suspects = findings.map(({ entry }) => entry)
    }
    for (const finding of findings) await this.#sink.onFinding(finding)
  }

  async #findWrong(entries: readonly DerivedEntry[]): Promise<readonly EntryFinding[]> {
    const before = await readExpected(this.#inspector, this.#declared, entries)
    const stored = await this.#inspector.readEdges(entries)
    const after = await readExpected(this.#inspector, this.#declared, entries)
    return entries.flatMap((entry, index) => {
      const isStable = isSame(before[index], after[index])
      return isStable && !isSame(before[index], stored[index])
        ? toFinding(entry, before[index], stored[index])
        : []
    })
  }
}
