import { ADA, COMPILERS, ENGINE, FIRST_COMMENT, NEWEST_PHOTO, STATUS } from '../helpers/world.ts'

/** A node of each type of the small social graph. */
export const NODES = {
  user: ADA,
  page: ENGINE,
  group: COMPILERS,
  post: STATUS,
  photo: NEWEST_PHOTO,
  comment: FIRST_COMMENT,
}
