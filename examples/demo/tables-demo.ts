import { openShop } from '../existing-database/open-shop.ts'
import type { DemoRequest, ServedDemo } from './served-demo.ts'

const EXPLORER_FIELDS = `\
first_name, email,
invoices.limit(2) {
  invoice_time, total,
  lines.limit(3) { quantity, track { name, unit_price, album { title, artist } } }
},
shared_playlists.limit(3) { name, role, members.limit(3) { first_name, role } }`

const createRequests = (base: string, token: string, staffToken: string): readonly DemoRequest[] => {
  const get = (path: string, parameters: string, by = token): string =>
    `curl -g '${base}${path}?${parameters}&pretty=1&access_token=${by}'`
  return [
    {
      title: 'The viewer of the token: the row 14 of the table customer, with its invoices',
      line: get('/me', 'fields=first_name,email,invoices.limit(2){invoice_time,total}'),
    },
    {
      title: 'A filter that the graph declares: the drafts of the viewer',
      line: get('/me/reviews', 'state=draft&fields=body,state&limit=2&summary=true'),
    },
    {
      title: 'An order that the graph declares: the longest tracks of a genre',
      line: get('/genre-1/tracks', 'order=longest&fields=name,milliseconds&limit=2'),
    },
    {
      title: 'A collection: albums by title',
      line: get('/root/albums', 'fields=title,artist&limit=2&summary=true'),
    },
    {
      title: 'An invoice of another customer does not exist for the viewer',
      line: get('/invoice-1', 'fields=total'),
    },
    {
      title: 'With the token of staff, it does',
      line: get('/invoice-1', 'fields=total,customer{last_name,support_rep}', staffToken),
    },
  ]
}

/** Opens the tables of Chinook, a music shop, and issues a token for a customer and one for staff. */
export const openTablesDemo = async (url: string): Promise<ServedDemo> => {
  const graph = await openShop(url === '' ? undefined : url)
  const viewer = 'customer-14'
  const token = await graph.tokens.issue({ viewer, app: 'shop', scopes: ['email'] })
  const staffToken = await graph.tokens.issue({ viewer: undefined, app: 'desk', scopes: ['staff'] })
  return {
    graph,
    token,
    initialFields: EXPLORER_FIELDS,
    introduction:
      'The graph reads the tables of Chinook, a music shop. Its declaration: examples/existing-database/types.ts',
    tokens: `\
An access token of the customer 14, and one of staff.

  ${token}
  ${staffToken}`,
    path: '',
    createRequests: base => createRequests(base, token, staffToken),
  }
}
