import { GraphError, type Store, type WaveAnswer } from 'kithgraph'

/** In JSON a node or token that is not there is null. */
type WireAnswer = Pick<WaveAnswer, 'ranges' | 'tests'> & {
  readonly [part in 'nodes' | 'tokens']: readonly (WaveAnswer[part][number] | null)[]
}

const orUndefined = <TValue>(value: TValue | null): TValue | undefined => value ?? undefined

const CONFLICT = 409

/**
 * Posts JSON to a URL.
 *
 * @throws GraphError `invalid_mutation` for a batch that the service refuses; Error where it fails.
 */
const post = async (url: string, body: unknown, signal: AbortSignal | undefined) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  })
  const answer = JSON.parse(await response.text())
  if (response.ok) return answer
  const { index, message } = answer
  if (response.status === CONFLICT)
    throw new GraphError('invalid_mutation', `(#100) Mutation ${index}: ${message}`, { index })
  throw new Error(`The service answered ${response.status}: ${message}`)
}

/**
 * A store whose data a REST service has. A wave is one request, however much it asks; the service answers it by position.
 *
 * The service itself does what the contract asks of order, counts and batches. There are no snapshots, and no version: the
 * next read sees what was written.
 */
export const createRestStore = (url: string): Store => ({
  capabilities: { snapshots: false, durable: false, shared: true, atomicity: 'batch' },
  open: () => undefined,
  close: () => undefined,
  read: async (wave, { signal }) => {
    const { nodes, ranges, tests, tokens }: WireAnswer = await post(`${url}/read`, wave, signal)
    return { nodes: nodes.map(orUndefined), ranges, tests, tokens: tokens.map(orUndefined) }
  },
  write: async (mutations, { signal }) => {
    await post(`${url}/write`, mutations, signal)
    return { version: undefined }
  },
  snapshot: () => {
    throw new Error('The service has no snapshots')
  },
})
