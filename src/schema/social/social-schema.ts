import { defineUncheckedSchema } from '../define-schema.ts'
import { album, comment, photo, post } from './content.ts'
import { group, page, user } from './people.ts'

const schema = defineUncheckedSchema(
  { user, page, group, post, photo, comment, album },
  { versions: ['v1.0'], viewers: ['user', 'page'], defaultPicture: '/default-picture.svg' },
)

type InferredSchema = typeof schema

/** The type of {@link socialSchema}. It is an interface, so that editors show its name. */
export interface SocialSchema extends InferredSchema {}

/**
 * The schema of the classic social graph: users, pages, groups, posts, photos, comments and
 * albums, with descriptions. `createGraph(store)` uses this schema by default, and `socialSchema.extend` returns an
 * extended schema.
 */
export const socialSchema: SocialSchema = schema
