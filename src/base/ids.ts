/**
 * The id of a node as a store has it: a decimal number without leading zeros, from 1 to 9223372036854775807,
 * always as a string. Records, rules and functions of the schema have raw ids, and writes need them. Every
 * string is accepted except a {@link PublicId}. The member `~id` exists only at compile time.
 */
export type RawId = string & { readonly '~id'?: 'raw' }

/**
 * The id of a node as an app sees it, in the results of reads. It differs from the raw id if the type of the
 * node is `appScoped` and the graph has `appIds`. Reads accept it. Where a raw id is needed, it is a compile
 * error, and `graph.ids.toRaw` converts it. The member `~id` exists only at compile time.
 */
export type PublicId = string & { readonly '~id'?: 'public' }

/** The id of a node in a record: its raw id. */
export type NodeId = RawId

const ZERO_CODE = 48
const NINE_CODE = 57
const MAX_ID = '9223372036854775807'

/** Whether a value is a well-formed node id. */
export const isNodeId = (value: unknown): value is NodeId => {
  if (typeof value !== 'string' || value.length === 0 || value.length > MAX_ID.length) return false
  // This runs for each ref of each record, and a loop takes a third of the time of a regular expression.
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index)
    if (code < ZERO_CODE || code > NINE_CODE) return false
  }
  return value.charCodeAt(0) !== ZERO_CODE && (value.length < MAX_ID.length || value <= MAX_ID)
}

/**
 * Compares two ids by their numeric value without parsing them. Ids have no leading zeros, so the longer id
 * is larger.
 */
export const compareIds = (a: NodeId, b: NodeId): number =>
  a.length !== b.length ? a.length - b.length : a < b ? -1 : a > b ? 1 : 0
