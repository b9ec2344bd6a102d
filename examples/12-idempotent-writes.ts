/**
 * Routes that write. Each checks with the viewer's own token what the viewer may change. A client that got no
 * response can send its request again, and nothing is written twice.
 */
import { deepStrictEqual, doesNotMatch, strictEqual } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createGraph, defineSchema, edge, field, hasEdgeToViewer, isGraphError, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string({ default: true, required: true }) } }),
    club: node({
      fields: { name: field.string({ default: true, required: true }) },
      edges: { members: edge('user'), posts: edge('post') },
      policy: [hasEdgeToViewer('members')],
    }),
    post: node({
      fields: {
        text: field.string({ default: true, required: true }),
        author: field.ref('user', { required: true }),
        club: field.ref('club', { required: true }),
      },
      policy: [hasEdgeToViewer('members', { of: 'club' })],
    }),
  },
  { viewers: ['user'] },
)
await using graph = createGraph(createMemoryStore(), { schema })
await graph.write([
  ...['Ada', 'Grace', 'Mary'].map((name, index) => {
    return { op: 'putNode', node: { id: `${index + 1}`, type: 'user', fields: { name } } } as const
  }),
  { op: 'putNode', node: { id: '20', type: 'club', fields: { name: 'Engines' } } },
  { op: 'putEdge', edge: { source: '20', name: 'members', target: '1' } },
  { op: 'putEdge', edge: { source: '20', name: 'members', target: '2' } },
])

/** The owner of a token, and the token itself. */
type Caller = { readonly token: string; readonly viewer: string; readonly app: string }

const forbidden = (): Response => Response.json({ error: { message: 'Not allowed' } }, { status: 403 })
const invalid = (message: string): Response => Response.json({ error: { message } }, { status: 400 })

/**
 * The id of a write. It contains the viewer and the app, so that nobody can use up the key of somebody else.
 */
const toWriteId = ({ viewer, app }: Caller, key: string): string =>
  createHash('sha256')
    .update(JSON.stringify([app, viewer, key]))
    .digest('hex')

/** The time for which the store remembers the id of a write: three days. */
const keepMs = 3 * 24 * 60 * 60 * 1000
const keyMissing = (): Response => invalid('Send an Idempotency-Key of at most 100 characters')

/** POST /clubs/{id}/posts, with the header Idempotency-Key and the body { text }. */
const createPost = async (caller: Caller, club: string, key: string | null, body: object) => {
  if (key === null || key.length > 100) return keyMissing()
  if (!('text' in body) || typeof body.text !== 'string') return invalid('Send a text')
  // Throws if the viewer may not see the club.
  if (!(await graph.hasEdge(caller.token, { id: club, type: 'club', edge: 'members', target: 'me' })))
    return forbidden()
  const writeId = toWriteId(caller, key)
  // A batch that is sent again must be the same batch. So the id of the post is derived from the key, and the
  // edge has no time: it gets the time of the first write.
  const id = `${BigInt(`0x${writeId.slice(0, 15)}`) + 1_000_000n}`
  const fields = { text: body.text, author: caller.viewer, club }
  // Two writes, because a store in Redis evaluates a condition only if a batch changes one source.
  await graph.write([{ op: 'putNode', node: { id, type: 'post', fields }, when: { exists: false } }], {
    id: `${writeId}-post`,
    keepMs,
  })
  await graph.write([{ op: 'putEdge', edge: { source: club, name: 'posts', target: id } }], {
    id: `${writeId}-edge`,
    keepMs,
  })
  return Response.json({ id }, { status: 201 })
}

/**
 * PATCH /posts/{id}, with the header Idempotency-Key and the body { text, was }: `was` is the text that the author
 * edited. Without the id of the write, the condition would fail if the request is sent again.
 */
const editPost = async (caller: Caller, id: string, key: string | null, body: object) => {
  if (key === null || key.length > 100) return keyMissing()
  if (!('text' in body) || typeof body.text !== 'string') return invalid('Send a text')
  if (!('was' in body) || typeof body.was !== 'string') return invalid('Send the text that was edited')
  const { author } = await graph.getNode(caller.token, { id, type: 'post', fields: 'author{id}' })
  if (author?.id !== caller.viewer) return forbidden()
  const when = { fields: { text: body.was, author: caller.viewer } }
  await graph.write([{ op: 'patchNode', id, fields: { text: body.text }, when }], {
    id: `${toWriteId(caller, key)}-edit`,
    keepMs,
  })
  return Response.json({ id })
}

const route = async (request: Request): Promise<Response> => {
  const [, kind, id = '', edgeName] = new URL(request.url).pathname.split('/')
  const token = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
  await graph.getMe(token, { fields: 'id' }) // throws if the token is not valid
  const { viewer = '', app = '' } = await graph.tokens.inspect(token)
  const body: unknown = await request.json().catch(() => undefined)
  if (typeof body !== 'object' || body === null) return invalid('Send a JSON object')
  const caller = { token, viewer, app }
  const key = request.headers.get('idempotency-key')
  const operation = `${request.method} ${kind} ${edgeName ?? ''}`
  if (operation === 'POST clubs posts') return createPost(caller, id, key, body)
  if (operation === 'PATCH posts ') return editPost(caller, id, key, body)
  return new Response(null, { status: 404 })
}

/** Sends errors of the graph with their status. A conflict is 409. Only its cause contains what was found. */
const respond = (request: Request): Promise<Response> =>
  route(request).catch((error: unknown) => {
    if (!isGraphError(error)) throw error
    return Response.json(error, { status: error.status })
  })

const send = async (viewer: string, method: string, path: string, body: object, key?: string) => {
  const token = await graph.tokens.issue({ viewer, app: 'demo' })
  const headers = { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) }
  const response = await respond(
    new Request(`https://api.example${path}`, { method, headers, body: JSON.stringify(body) }),
  )
  return { status: response.status, text: await response.text() }
}
const countPosts = async () => {
  const session = graph.session({ viewer: '1', app: 'demo' })
  const page = await graph.getEdge(session, { id: '20', type: 'club', edge: 'posts', summary: true })
  return page.summary?.total_count
}

// The client sends its request twice, because the first response was lost.
const post = (viewer: string, text: string) => send(viewer, 'POST', '/clubs/20/posts', { text }, 'key-1')
const [first, second] = [await post('1', 'Hello'), await post('1', 'Hello')]
console.log('sent twice:', first.status, second.status, 'posts:', await countPosts())
deepStrictEqual([first, await countPosts()], [second, 1])

// A key belongs to one request of one viewer.
const statuses = [(await post('1', 'Goodbye')).status, (await post('2', 'Hello')).status]
console.log('another text, another viewer:', statuses, 'posts:', await countPosts())
deepStrictEqual([statuses, await countPosts()], [[409, 201], 2])

// For a viewer who is not a member, the club does not exist.
const stranger = await post('3', 'Hello')
console.log('a stranger:', stranger.status)
strictEqual(stranger.status, 400)

// Of two edits of the same text, the second one does not overwrite the first one.
const { id } = JSON.parse(first.text)
const edit = (viewer: string, text: string, key: string) =>
  send(viewer, 'PATCH', `/posts/${id}`, { text, was: 'Hello' }, key)
const edits = [
  await edit('1', 'Hello, all', 'key-2'),
  await edit('1', 'Hi', 'key-3'),
  await edit('2', 'Hi', 'key-4'),
]
console.log(
  'two edits, and one of another viewer:',
  edits.map(({ status }) => status),
)
deepStrictEqual(
  edits.map(({ status }) => status),
  [200, 409, 403],
)
doesNotMatch(edits[1]?.text ?? '', /Hello, all/)

// An edit that is sent again succeeds again, although the text is no longer the one that was edited.
const editAgain = await edit('1', 'Hello, all', 'key-2')
console.log('an edit that is sent again:', editAgain.status)
deepStrictEqual(editAgain, edits[0])
