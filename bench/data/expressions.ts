/**
 * The query for 71 nodes in four levels: a person, ten photos, three comments on each photo, and their
 * authors.
 */
export const PHOTOS = 'photos.limit(10){comments.limit(3){from}}'

/** The same query with the times of photos and comments: 40 dates. */
export const DATED_PHOTOS = 'photos.limit(10){created_time,comments.limit(3){created_time,from}}'

/**
 * The same query in GraphQL. It reads plain lists, because a GraphQL server does not have to return pages.
 */
export const PHOTOS_QUERY =
  '{ me { photos(limit: 10) { comments(limit: 3) { from { name id } id } id } id } }'

/** The default fields of a person as a GraphQL query. */
export const ME_QUERY = '{ me { name id } }'
