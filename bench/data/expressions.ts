/** The 71-node read of four levels: a person, ten photos, three comments on each, and who wrote them. */
export const PHOTOS = 'photos.limit(10){comments.limit(3){from}}'

/** The same with the times of photos and comments: 40 dates. */
export const DATED_PHOTOS = 'photos.limit(10){created_time,comments.limit(3){created_time,from}}'

/** The first as a GraphQL query: lists where we answer pages, since GraphQL servers need not page. */
export const PHOTOS_QUERY =
  '{ me { photos(limit: 10) { comments(limit: 3) { from { name id } id } id } id } }'

/** The default fields of a person as a GraphQL query. */
export const ME_QUERY = '{ me { name id } }'
