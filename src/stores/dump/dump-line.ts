import type { EdgeRecord, NodeRecord } from '../../store/contract.ts'

/** The record in a line of a dump. */
export type DumpRecord = { readonly node: NodeRecord } | { readonly edge: EdgeRecord }

/**
 * Formats a line of NDJSON with its line break, as `graph.load` reads it. An edge without data has no such
 * member.
 */
export const toDumpLine = (record: DumpRecord): string => `${JSON.stringify(record)}\n`
