import type {
  EdgeCheck,
  EdgeRange,
  RangeResult,
  ReadAhead,
  StoreReadOptions,
  StoreReadRequest,
  StoreReadResult,
  WantedFields,
} from './contract.ts'

/** An empty read request, from which you can create other requests: `{ ...EMPTY_REQUEST, tokens }`. */
export const EMPTY_REQUEST: StoreReadRequest = Object.freeze({
  nodes: [],
  ranges: [],
  checks: [],
  tokens: [],
})

/** Options without a signal and a deadline. */
export const UNTIMED_OPTIONS: StoreReadOptions = Object.freeze({
  signal: undefined,
  deadline: undefined,
  minRevision: undefined,
})

/** Whether a request is empty, so that the store need not be called. */
export const isEmptyRequest = ({ nodes, ranges, checks, tokens, flags }: StoreReadRequest): boolean =>
  nodes.length + ranges.length + checks.length + tokens.length === 0 && flags === undefined

// Each function below returns one object literal, because spreading takes several times as long.
const { ranges: NO_RANGES, nodes: NO_NODES, checks: NO_CHECKS, tokens: NO_TOKENS } = EMPTY_REQUEST

/** Creates a request that reads only nodes. `fields` are the fields that it needs: by default all. */
export const nodesRequest = (nodes: StoreReadRequest['nodes'], fields?: WantedFields): StoreReadRequest => ({
  nodes,
  ranges: NO_RANGES,
  checks: NO_CHECKS,
  tokens: NO_TOKENS,
  fields,
})

/** Creates a request that reads only nodes, and what is below them ahead. */
export const nodesAheadRequest = (
  nodes: StoreReadRequest['nodes'],
  fields: WantedFields | undefined,
  ahead: ReadAhead | undefined,
): StoreReadRequest =>
  ahead === undefined
    ? nodesRequest(nodes, fields)
    : { ...nodesRequest(nodes, fields), nodesAhead: nodes.map(() => ahead) }

/** Creates a request that reads only ranges. `fields` are the fields that it needs of the entries' nodes. */
export const rangesRequest = (
  ranges: StoreReadRequest['ranges'],
  fields: WantedFields | undefined,
): StoreReadRequest => ({
  nodes: NO_NODES,
  ranges,
  checks: NO_CHECKS,
  tokens: NO_TOKENS,
  fields,
})

/** Creates a request that reads only checks. */
export const checksRequest = (checks: StoreReadRequest['checks']): StoreReadRequest => ({
  nodes: NO_NODES,
  ranges: NO_RANGES,
  checks,
  tokens: NO_TOKENS,
  // All requests have the same members, so that code that reads them is faster.
  fields: undefined,
})

/** The maximum size of one part of a read, as `requestSizeOf` computes it. */
const MAX_PART_SIZE = 2000

/** The key of the property in which a part stores the whole request. */
const WHOLE_REQUEST = Symbol('kithgraph.wholeRequest')

type RequestPart = Pick<StoreReadRequest, 'tokens' | 'flags' | 'fields'> & {
  nodes: string[]
  ranges: EdgeRange[]
  checks: EdgeCheck[]
}

/**
 * Returns the maximum number of entries of a range, or 1 for a range that only counts, because counting is
 * work too.
 */
const maxEntryCountOf = ({ limit }: EdgeRange): number => Math.max(1, limit)

/**
 * Returns the size of a read: the maximum number of its entries, plus the number of its nodes, checks and
 * tokens.
 */
export const requestSizeOf = ({ nodes, ranges, checks, tokens }: StoreReadRequest): number => {
  const size = nodes.length + checks.length + tokens.length
  return ranges.length === 0 ? size : ranges.reduce((sum, range) => sum + maxEntryCountOf(range), size)
}

/** Whether a read of this size would block the event loop for too long. */
export const isLongRead = (size: number): boolean => size > MAX_PART_SIZE

/** Returns the whole request that a part belongs to. Any other request is returned unchanged. */
export const wholeRequestOf = (
  request: StoreReadRequest & { readonly [WHOLE_REQUEST]?: StoreReadRequest },
): StoreReadRequest => request[WHOLE_REQUEST] ?? request

const createPart = (wholeRequest: StoreReadRequest, contents: Partial<StoreReadRequest>): StoreReadRequest =>
  Object.defineProperty({ ...EMPTY_REQUEST, ...contents }, WHOLE_REQUEST, { value: wholeRequest })

/**
 * Divides a long read into parts of at most `MAX_PART_SIZE`, in the order of its keys. A range that exceeds
 * this size is the only item of its part.
 */
export const divideRequest = (wholeRequest: StoreReadRequest): readonly StoreReadRequest[] => {
  const { tokens, flags, fields } = wholeRequest
  let currentPart: RequestPart = {
    nodes: [],
    ranges: [],
    checks: [],
    tokens,
    fields,
    ...(flags && { flags }),
  }
  const parts = [currentPart]
  let size = tokens.length
  const selectPartWithRoom = (addedSize: number): RequestPart => {
    if (size > 0 && size + addedSize > MAX_PART_SIZE) {
      currentPart = { nodes: [], ranges: [], checks: [], tokens: [], fields }
      parts.push(currentPart)
      size = 0
    }
    size += addedSize
    return currentPart
  }
  for (const id of wholeRequest.nodes) selectPartWithRoom(1).nodes.push(id)
  for (const range of wholeRequest.ranges) selectPartWithRoom(maxEntryCountOf(range)).ranges.push(range)
  for (const check of wholeRequest.checks) selectPartWithRoom(1).checks.push(check)
  return parts.map(requestPart => createPart(wholeRequest, requestPart))
}

/**
 * Returns the next read for a part whose range exceeds `MAX_PART_SIZE`. The next read begins where the result
 * so far ends. Returns undefined if the range is complete, and for any other part.
 */
export const createNextRequest = (
  part: StoreReadRequest,
  resultSoFar: RangeResult | undefined,
): StoreReadRequest | undefined => {
  const { fields } = part
  const [range] = part.ranges
  if (range === undefined || range.limit <= MAX_PART_SIZE) return undefined
  if (resultSoFar === undefined)
    return createPart(wholeRequestOf(part), { ranges: [{ ...range, limit: MAX_PART_SIZE }], fields })
  const limit = Math.min(MAX_PART_SIZE, range.limit - resultSoFar.entries.length)
  if (!resultSoFar.hasMore || resultSoFar.lastExamined === undefined || limit < 1) return undefined
  const next = { ...range, from: resultSoFar.lastExamined, limit, count: false }
  if (range.maxExamined === undefined) return createPart(wholeRequestOf(part), { ranges: [next], fields })
  const maxExamined = range.maxExamined - (resultSoFar.examined ?? 0)
  return maxExamined < 1
    ? undefined
    : createPart(wholeRequestOf(part), { ranges: [{ ...next, maxExamined }], fields })
}

/** Joins the earlier result of a range with the result of its next read. */
export const joinRangeResults = (resultSoFar: RangeResult | undefined, next: RangeResult): RangeResult => {
  if (resultSoFar === undefined) return next
  const { entries, total, examined, passing } = resultSoFar
  const joined = { ...next, entries: [...entries, ...next.entries], total }
  return examined === undefined ? joined : { ...joined, examined: examined + (next.examined ?? 0), passing }
}

/** Joins the results of all parts into the result of the whole request. */
export const joinReadResults = (results: readonly StoreReadResult[]): StoreReadResult => ({
  nodes: results.flatMap(({ nodes }) => nodes),
  ranges: results.flatMap(({ ranges }) => ranges),
  checks: results.flatMap(({ checks }) => checks),
  tokens: results.flatMap(({ tokens }) => tokens),
  // All flags are in the first part.
  ...(results[0]?.flags && { flags: results[0].flags }),
})
