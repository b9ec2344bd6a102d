import type { Demo } from './graph.ts'
import { findId } from './novel.ts'
import type { DemoRequest } from './served-demo.ts'

/** The field expression with which the Explorer opens. It has four levels. */
export const EXPLORER_FIELDS = `\
name,
friends.limit(3) {
  name, chapters,
  photos.limit(2) {
    name,
    comments.limit(2) { message, from }
  }
}`

const BATCH = JSON.stringify([
  { name: 'fans', relative_url: '4005/likes?fields=id' },
  { relative_url: '?ids={result=fans:$.data.*.id}&fields=name,birthday' },
])

/** Creates the requests to try first. `-g` makes curl send braces literally. */
export const createRequests = (
  base: string,
  { token, unscopedToken }: Pick<Demo, 'token' | 'unscopedToken'>,
): readonly DemoRequest[] => {
  const get = (path: string, parameters: string, by = token): string =>
    `curl -g '${base}${path}?${parameters}&pretty=1&access_token=${by}'`
  return [
    {
      title: 'The viewer of the token, with a computed age range and a large picture',
      line: get('/me', 'fields=name,age_range,picture.type(large)'),
    },
    {
      title: 'The latest posts of the viewer, with comments and the authors of the comments',
      line: get('/me', 'fields=posts.limit(2){message,comments.limit(2){message,from}}'),
    },
    {
      title: 'A page of friends with the total count. "next" is the URL of the next page',
      line: get('/me/friends', 'fields=name,chapters&limit=3&summary=true'),
    },
    {
      title: 'A batch of two requests: the people who like a post, then fields of these people',
      line: `curl '${base}/' -d 'access_token=${token}' -d 'include_headers=false' --data-urlencode 'batch=${BATCH}'`,
    },
    {
      title: 'Friends, with the token without scopes. The error names the missing scope',
      line: get(`/${findId('Marius')}/friends`, 'fields=name', unscopedToken),
    },
  ]
}

/** Creates requests that write. */
export const createActionRequests = (
  base: string,
  { token }: Pick<Demo, 'token'>,
): readonly DemoRequest[] => [
  {
    title: 'Publishes a post, and reads it',
    line: `curl '${base}/me/feed' -d 'access_token=${token}' -d 'message=To the barricade' -d 'fields=message,from'`,
  },
  {
    title: 'Likes a post',
    line: `curl -X POST '${base}/4004/likes' -d 'access_token=${token}'`,
  },
]
