/** The id of a node: a decimal number without leading zeros, 1 to 9223372036854775807, always as a string. */
export type NodeId = string

const PATTERN = /^[1-9][0-9]{0,18}$/
const LARGEST = '9223372036854775807'

/** Whether a value is a well-formed node id. */
export const isNodeId = (value: unknown): value is NodeId =>
  typeof value === 'string' && PATTERN.test(value) && (value.length < LARGEST.length || value <= LARGEST)

/** Orders two ids by numeric value without parsing them: of two numbers without leading zeros the longer is larger. */
export const compareIds = (a: NodeId, b: NodeId): number =>
  a.length !== b.length ? a.length - b.length : a < b ? -1 : a > b ? 1 : 0
