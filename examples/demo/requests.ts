import type { Demo } from './graph.ts'
import { idOf } from './novel.ts'

/** A request and what it shows, as a line for a shell. */
export type DemoRequest = { readonly title: string; readonly line: string }

const BATCH = JSON.stringify([
  { name: 'fans', relative_url: '4005/likes?fields=id' },
  { relative_url: '?ids={result=fans:$.data.*.id}&fields=name,birthday' },
])

/** The requests that are best tried first. Braces are sent as they are, which `-g` has curl do. */
export const requestsTo = (
  base: string,
  { token, bareToken }: Pick<Demo, 'token' | 'bareToken'>,
): readonly DemoRequest[] => {
  const get = (path: string, parameters: string, by = token): string =>
    `curl -g '${base}${path}?${parameters}&pretty=1&access_token=${by}'`
  return [
    {
      title: 'Whom the token stands for: a computed age range, a picture by its size',
      line: get('/me', 'fields=name,age_range,picture.type(large)'),
    },
    {
      title: 'His latest posts, and below each its comments with their authors',
      line: get('/me', 'fields=posts.limit(2){message,comments.limit(2){message,from}}'),
    },
    {
      title: 'A page of an edge and the count of all; "next" leads on as it is',
      line: get('/me/friends', 'fields=name,chapters&limit=3&summary=true'),
    },
    {
      title: 'Two requests as one: who likes a post, and then something of each of them',
      line: `curl '${base}/' -d 'access_token=${token}' -d 'include_headers=false' --data-urlencode 'batch=${BATCH}'`,
    },
    {
      title: 'The same friends for the token without scopes: refused, and the answer says what is missing',
      line: get(`/${idOf('Marius')}/friends`, 'fields=name', bareToken),
    },
  ]
}
