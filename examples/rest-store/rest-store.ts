import { type EdgeKey, GraphError, type Store, type StoreReadResult } from 'kithgraph'
import { toWireRequest } from './wire.ts'

/** The JSON of a read result. A node or token that does not exist is `null`. */
type WireResult = Pick<StoreReadResult, 'ranges' | 'checks'> & {
  readonly [part in 'nodes' | 'tokens']: readonly (StoreReadResult[part][number] | null)[]
}

const nullToUndefined = <TValue>(value: TValue | null): TValue | undefined => value ?? undefined

const CONFLICT = 409

/**
 * Posts JSON to a URL.
 *
 * @throws GraphError `invalid_mutation` if the service rejects the batch; Error if the request fails.
 */
const post = async (url: string, body: unknown, signal: AbortSignal | undefined) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  const result = JSON.parse(await response.text())
  if (response.ok) return result
  const { index, message } = result
  if (response.status === CONFLICT)
    throw new GraphError('invalid_mutation', `(#100) Mutation ${index}: ${message}`, { index })
  throw new Error(`The service responded with status ${response.status}: ${message}`)
}

/**
 * Rejects digests with lone surrogates. UTF-8 cannot encode these, so two different digests could become
 * equal.
 */
const assertDigest = (digest: string): void => {
  if (!digest.isWellFormed()) throw new TypeError('A digest must be a well-formed string')
}

/** Rejects a mirror that is not an edge from the target to the source of its edge. */
const assertMirror = ({
  edge,
  mirror,
}: {
  readonly edge: EdgeKey
  readonly mirror?: EdgeKey | undefined
}): void => {
  if (mirror !== undefined && (mirror.source !== edge.target || mirror.target !== edge.source))
    throw new TypeError('A mirror must be an edge from the target to the source')
}

/**
 * Creates a store that keeps its data in a REST service. Each store read is one request, and the service
 * returns the results by position.
 *
 * The service implements the order, the counts and the atomic batches that a store needs. The store has no
 * snapshots. It needs no revisions, because every read sees all earlier writes.
 *
 * It accepts both kinds of ids, and sends the wanted fields and the next levels of a query along, so that the
 * service returns no more than a query needs, and several levels at once.
 */
export const createRestStore = (url: string): Store => ({
  capabilities: {
    snapshots: false,
    durable: false,
    shared: true,
    atomicity: 'batch',
    conditionalWrites: false,
    collections: false,
    ids: ['digits', 'named'],
    readsAhead: true,
  },
  open: () => undefined,
  close: () => undefined,
  read: async (request, { signal }) => {
    for (const digest of request.tokens) assertDigest(digest)
    const { nodes, ranges, checks, tokens }: WireResult = await post(
      `${url}/read`,
      toWireRequest(request),
      signal,
    )
    return { nodes: nodes.map(nullToUndefined), ranges, checks: checks, tokens: tokens.map(nullToUndefined) }
  },
  write: async (mutations, { signal }) => {
    for (const mutation of mutations) {
      if ('digest' in mutation) assertDigest(mutation.digest)
      else if ('edge' in mutation) assertMirror(mutation)
    }
    await post(`${url}/write`, mutations, signal)
    return { revision: undefined }
  },
  snapshot: () => {
    throw new Error('The service has no snapshots')
  },
})
