import type { Awaitable } from '../base/awaitable.ts'
import type { IdKind, NodeId } from '../base/ids.ts'
import type { EdgeKey, EdgeRecord, NodeRecord } from './contract.ts'
import { type DerivedEntry, ROOT_ID } from './derived-entries.ts'

/**
 * An edge, or an entry of a collection or of a further order, with the types of its ends. The type of a missing
 * node is undefined.
 */
export type InspectedEdge = EdgeRecord & {
  readonly sourceType: string | undefined
  readonly targetType: string | undefined
}

/** Whether an end of an edge is missing. The source of collections never is. */
export const isDangling = ({
  source,
  sourceType,
  targetType,
}: Pick<InspectedEdge, 'source' | 'sourceType' | 'targetType'>): boolean =>
  (sourceType === undefined && source !== ROOT_ID) || targetType === undefined

/** A list of edges: all edges of one name from one source. */
export type EdgeListKey = Pick<EdgeKey, 'source' | 'name'>

/** An error in the stored data. It contains ids, names and counts, and no values. */
export type Finding =
  /** A record that is not valid JSON of the expected form: a node, or the data of an edge. */
  | { readonly kind: 'damagedNode'; readonly id: NodeId }
  | { readonly kind: 'damagedEdge'; readonly edge: EdgeKey }
  /** An edge from or to a missing node. `member` is its text in Redis. */
  | { readonly kind: 'danglingEdge'; readonly edge: EdgeKey; readonly member?: string | undefined }
  /** Only in Redis: an entry of a list that belongs to a deleted node of the same id. Reads hide it. */
  | { readonly kind: 'staleEdge'; readonly edge: EdgeKey; readonly member: string }
  /** An edge that the index of edges to a node lacks. */
  | { readonly kind: 'missingReverseEntry'; readonly edge: EdgeKey }
  /** An entry of the index of edges to a node, without its edge. `member` is its text in Redis. */
  | { readonly kind: 'staleReverseEntry'; readonly edge: EdgeKey; readonly member?: string | undefined }
  /** A stored count that differs from the number of edges in its list. */
  | (EdgeListKey & { readonly kind: 'wrongCount'; readonly stored: number; readonly actual: number })
  /** A stored count of 0 for a list without edges. It has no effect. */
  | (EdgeListKey & { readonly kind: 'emptyCount' })
  /**
   * An edge without its mirror. `isDeleted` is true if the store knows that the missing side was deleted
   * after the existing side was written.
   */
  | {
      readonly kind: 'halfMirror'
      readonly edge: EdgeKey
      readonly mirror: EdgeKey
      readonly isDeleted: boolean
    }
  /** An edge whose mirror has another time or other data. */
  | { readonly kind: 'unequalMirror'; readonly edge: EdgeKey; readonly mirror: EdgeKey }
  /** Only in Redis: a recovery note. It names a second side that a writer has not finished. */
  | { readonly kind: 'unfinishedMirror'; readonly id: NodeId }
  /** Only in Redis: an entry of a node in a collection that a recovery note names, and that is not finished. */
  | { readonly kind: 'unfinishedEntry'; readonly id: NodeId }
  /** Only in Redis: recovery notes of the last ten seconds. Their writers probably still work. */
  | { readonly kind: 'recentNote'; readonly id: NodeId }
  /** Only in Redis: a recovery note that cannot be decoded. */
  | { readonly kind: 'damagedNote'; readonly id: NodeId }
  /** Only in Redis: the edges of a deleted node that a writer has not removed completely. */
  | { readonly kind: 'unfinishedDeletion'; readonly id: NodeId }
  | EntryFinding
  /** An entry of a collection or order that the schema does not declare. It has no effect. */
  | { readonly kind: 'undeclaredEntry'; readonly edge: EdgeKey }

/**
 * An error in a collection or a further order: an entry that the list lacks, an entry with another time or other
 * data than its record gives, or an entry that no record gives. The store repairs it when it derives the entry.
 */
export type EntryFinding = {
  readonly kind: 'missingEntry' | 'wrongEntry' | 'strayEntry'
  readonly entry: DerivedEntry
}

export type FindingKind = Finding['kind']

/** A part of a store, in the order in which an inspection reads it. */
export type InspectionPage = {
  readonly nodes: readonly NodeRecord[]
  readonly edges: readonly InspectedEdge[]
  /** Errors that the store itself detected: it has read them again, or everything by one statement. */
  readonly findings: readonly Finding[]
  /** Leftovers of normal operation, which are no errors. A repair can remove or complete some of them. */
  readonly leftovers: readonly Finding[]
}

/** An empty page, to be extended. */
export const EMPTY_PAGE: InspectionPage = Object.freeze({
  nodes: [],
  edges: [],
  findings: [],
  leftovers: [],
})

/** Both sides of a mirrored edge at one moment. A missing side is undefined. */
export type MirrorState = {
  readonly edge: InspectedEdge | undefined
  readonly mirror: InspectedEdge | undefined
  /** Whether the store knows that the missing side was deleted after the existing side was written. */
  readonly isDeleted: boolean
}

/** The maximum number of records in a page. */
export const PAGE_SIZE = 1000

/** The inspector of a database, which has one kind of ids. */
export type SqlInspector = StoreInspector & { readonly ids: IdKind }

/** Reads everything that a store contains, and repairs it, while other processes use the store. */
export interface StoreInspector {
  /** Reads the whole store, page by page. */
  scan(): AsyncIterable<InspectionPage>
  /** Reads nodes again. The result of a missing node is undefined. */
  readNodes(ids: readonly NodeId[]): Awaitable<readonly (NodeRecord | undefined)[]>
  /** Reads edges again. The result of a missing edge is undefined. */
  readEdges(keys: readonly EdgeKey[]): Awaitable<readonly (InspectedEdge | undefined)[]>
  /**
   * Reads both sides of a mirrored edge at one moment. Returns undefined if a writer is changing them, or has
   * left a recovery note for them.
   */
  readMirror(edge: EdgeKey, mirror: EdgeKey): Awaitable<MirrorState | undefined>
  /**
   * Repairs a finding if it still exists, atomically. Adds a missing side or reverse entry, corrects a count,
   * completes what a recovery note names, and removes anything else. Returns whether it changed the store. Entries
   * of collections and further orders are repaired by the store, which derives them again.
   */
  repair(finding: Finding): Awaitable<boolean>
  close(): Awaitable<void>
}
