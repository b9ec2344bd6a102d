import type { EdgeRecord, NodeRecord } from '../../store/contract.ts'

/** What a line of a dump holds. */
export type DumpRecord = { readonly node: NodeRecord } | { readonly edge: EdgeRecord }

/** A line of NDJSON with its break, as `graph.load` takes it. An edge without data has no such member. */
export const dumpLine = (record: DumpRecord): string => `${JSON.stringify(record)}\n`
