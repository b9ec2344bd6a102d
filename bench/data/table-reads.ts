/** The page sizes of the query for 71 nodes. */
export const READ = { photos: 10, comments: 3 }

/** The page size of the other reads. */
export const PAGE = 25

/** The query for 71 nodes in four levels, and how GraphQL reads the same. The names of its fields become ours. */
export const TABLE_PHOTOS = `name,photos.limit(${READ.photos}){caption,created_time,comments.limit(${READ.comments}){body,created_time,author{name}}}`

const newest = 'condition: { deletedAt: null }, orderBy: [CREATED_AT_DESC, ROW_ID_DESC]'
const oldest = 'condition: { deletedAt: null }, orderBy: [CREATED_AT_ASC, ROW_ID_ASC]'

export const TABLE_PHOTOS_QUERY = `query ($account: BigInt!) {
  account: accountByRowId(rowId: $account) {
    name
    photos: photosByOwnerId(first: ${READ.photos}, ${newest}) {
      data: nodes {
        caption
        created_time: createdAt
        comments: commentsByPhotoId(first: ${READ.comments}, ${oldest}) {
          data: nodes {
            body
            created_time: createdAt
            author: accountByAuthorId { name account: rowId }
            comment: rowId
          }
        }
        photo: rowId
      }
    }
    account: rowId
  }
}`
