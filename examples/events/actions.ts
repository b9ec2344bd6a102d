import { actionsOf } from 'kithgraph/actions'
import { createCommentActions } from './comment-actions.ts'
import { createEventActions } from './event-actions.ts'
import type { EventSearch } from './event-search.ts'
import { createGroupActions } from './group-actions.ts'
import type { EventSchema } from './schema.ts'

/** Declares all writes of the service. Those that change who sees an event update the search. */
export const createActions = (schema: EventSchema, search: EventSearch) => {
  const action = actionsOf(schema)
  return [
    ...createEventActions(action, search),
    ...createCommentActions(action),
    ...createGroupActions(action, search),
  ]
}

/** The type of the actions, for `createClient`. */
export type EventActions = ReturnType<typeof createActions>
