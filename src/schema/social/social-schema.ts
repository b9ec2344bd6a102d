import { uncheckedSchema } from '../define-schema.ts'
import { comment, photo, post } from './content.ts'
import { group, page, user } from './people.ts'

/**
 * The schema of the classic social graph: users, pages, groups, posts, photos and comments, all described. It is what
 * `createGraph(store)` uses where no other schema is given; `socialSchema.extend` makes another of it.
 */
export const socialSchema = uncheckedSchema(
  { user, page, group, post, photo, comment },
  { versions: ['v1.0'], viewers: ['user', 'page'], silhouette: '/silhouette.svg' },
)
