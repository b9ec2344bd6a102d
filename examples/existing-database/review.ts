import {
  isGraphError,
  type JsonValue,
  namedId,
  parameter,
  parseNamedId,
  type RawId,
  type Rule,
  type Session,
} from 'kithgraph'
import { keyReusedError } from 'kithgraph/actions'

/** Allows every customer. A token of an app alone has no viewer. */
const isCustomer: Rule = {
  name: 'isCustomer',
  decide: (_record, { viewer }) => (viewer === undefined ? 'skip' : 'allow'),
}

/** What the action `reviews.add` of an album has in every database. Its `run` writes with the code of the team. */
export const REVIEW_ACTION = {
  description: 'Publishes a review of the viewer.',
  scope: 'review',
  policy: [isCustomer],
  returns: 'review',
  parameters: {
    body: parameter.string({ required: true, maxLength: 2000 }),
    rating: parameter.int({ min: 1, max: 5 }),
  },
} as const

/** What `run` receives, as far as a review needs it. */
type ReviewCall = {
  readonly source: { readonly id: RawId }
  readonly session: Session
  readonly parameters: { readonly body: string; readonly rating?: number | undefined }
  readonly callId: string
  readonly now: number
}

/** Returns the key of the row that an id such as `album-1` belongs to. */
const keyOf = (id = ''): number => Number(parseNamedId(id)?.key[0])

/** Returns the values of the new row. Its key is the id of the call, so a repeated call has the same row. */
export const toReview = ({ source, session, parameters, callId, now }: ReviewCall) => ({
  reviewId: callId,
  albumId: keyOf(source.id),
  customerId: keyOf(session.viewer),
  state: 'published' as const,
  body: parameters.body,
  rating: parameters.rating ?? null,
  createdAt: new Date(now),
})

export const reviewIdOf = (callId: string): string => namedId('review', callId)

export type NewReview = ReturnType<typeof toReview>

/** The columns of a stored review that the parameters of a call decide. */
export type SavedReview = { readonly body: string; readonly rating: number | null }

/** @throws ActionError `key_reused` for a row that a call with the same key and other parameters has written. */
export const assertSameParameters = ({ body, rating }: NewReview, saved: SavedReview | undefined): void => {
  if (saved !== undefined && (saved.body !== body || saved.rating !== rating)) throw keyReusedError()
}

/** Returns the failure that an action reports. */
export const failureOf = (error: unknown): JsonValue | undefined =>
  isGraphError(error) ? error.data.failure : undefined
