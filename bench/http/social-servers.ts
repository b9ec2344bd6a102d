import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLSchema } from 'graphql'
import { createGraph } from 'kithgraph'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import mercurius from 'mercurius'
import { encodeCursor } from '../../src/core/cursor.ts'
import { encodeCursorPrefix } from '../../src/core/cursor-letters.ts'
import { createListKey } from '../../src/plan/link-query.ts'
import { createFastestReader } from '../contenders/fastest-code.ts'
import { fillStore, toMutations } from '../contenders/graph.ts'
import { createRequest, GRAPHQL_SCHEMA } from '../contenders/graphql-schema.ts'
import { createMaps } from '../contenders/maps.ts'
import { createSocialData, type Person, type SocialData } from '../data/social-data.ts'
import { createLikes, POPULAR, popularMutations } from './popular.ts'
import { PAGE, type ServerName } from './workloads.ts'

/** A server that is ready to listen, with the token of each viewer. */
export type SocialServer = {
  readonly tokens: readonly string[]
  listen(): Promise<number>
}

const HOST = '127.0.0.1'

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const startListening = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, HOST, () => resolve(portOf(server)))
  })

const createOurs = async (data: SocialData): Promise<SocialServer> => {
  const store = createMemoryStore()
  await fillStore(store, [...toMutations(data), ...popularMutations(data.people)])
  const graph = createGraph(store)
  const tokens: string[] = []
  for (const viewer of data.viewers)
    tokens.push(await graph.tokens.issue({ viewer, app: 'bench', scopes: ['user_photos'] }))
  const server = createServer(toNodeListener(createHandler(graph)))
  return { tokens, listen: () => startListening(server) }
}

/**
 * Creates the tokens of the other servers. These servers look tokens up in a Map, which is the least possible
 * work.
 */
const createTokens = ({ viewers }: SocialData): ReadonlyMap<string, string> =>
  new Map(viewers.map(viewer => [`token-of-${viewer}-which-is-as-long-as-any-other`, viewer]))

const likesPage = (people: readonly Person[]) => {
  const newest = createLikes(people).toReversed()
  const head = encodeCursorPrefix(
    createListKey({ name: 'likes', list: 'likes', order: { cursorName: 'reverse_chronological' } }),
  )
  return (): object => {
    const page = newest.slice(0, PAGE)
    const [first, last] = [page[0], page.at(-1)]
    const data = page.map(({ person }) => ({ name: person.name, id: person.id }))
    if (first === undefined || last === undefined) return { data }
    const cursorOf = ({ person, time }: typeof first) => encodeCursor(head, { time, target: person.id })
    const cursors = { before: cursorOf(first), after: cursorOf(last) }
    return { data, paging: { cursors, next: `/${POPULAR.id}/likes?limit=${PAGE}&after=${cursors.after}` } }
  }
}

const bearer = (authorization: string | undefined): string => authorization?.slice('Bearer '.length) ?? ''

const serve = (fastify: FastifyInstance, tokens: ReadonlyMap<string, string>): SocialServer => ({
  tokens: [...tokens.keys()],
  async listen() {
    await fastify.listen({ port: 0, host: HOST })
    return portOf(fastify.server)
  },
})

const TYPE = 'application/json; charset=UTF-8'

/** Sends JSON text. */
type Send = (reply: FastifyReply, body: string) => FastifyReply

const sendPlain: Send = (reply, body) => reply.header('content-type', TYPE).send(body)

/** Sends JSON text with the headers of our responses. The ETag has the format of `@fastify/etag`. */
const sendWithHeaders: Send = (reply, body) =>
  reply
    .headers({
      'content-type': TYPE,
      'x-content-type-options': 'nosniff',
      'facebook-api-version': 'v1.0',
      'x-fb-trace-id': randomBytes(8).toString('hex'),
      'cache-control': 'private',
      vary: 'Authorization, kithgraph-links',
      etag: `"${createHash('sha1').update(body).digest('base64')}"`,
    })
    .send(body)

/**
 * Creates hand-written routes that identify the viewer by a token. They return the same bytes as kithgraph,
 * and use the fastest code over Maps.
 */
const createHandWritten = (data: SocialData, send: Send): SocialServer => {
  const tokens = createTokens(data)
  const reader = createFastestReader(data)
  const likes = likesPage(data.people)
  const fastify = Fastify()
  fastify.get<{ Querystring: { fields?: string } }>('/me', (request, reply) => {
    const viewer = tokens.get(bearer(request.headers.authorization))
    if (viewer === undefined) return reply.code(400).send({ error: 'Unknown token' })
    const response = request.query.fields === undefined ? reader.getMe(viewer) : reader.getPhotos(viewer)
    return send(reply, JSON.stringify(response))
  })
  fastify.get('/:id/likes', (request, reply) => {
    if (!tokens.has(bearer(request.headers.authorization)))
      return reply.code(400).send({ error: 'Unknown token' })
    return send(reply, JSON.stringify(likes()))
  })
  return serve(fastify, tokens)
}

/** Adds the likes to the GraphQL schema of the other rows. */
const withLikes = (people: readonly Person[]): GraphQLSchema => {
  const query = GRAPHQL_SCHEMA.getQueryType()
  const person = query?.getFields().me?.type
  if (query === undefined || query === null || !(person instanceof GraphQLObjectType))
    throw new Error('The schema has no me')
  const newest = createLikes(people)
    .toReversed()
    .map(like => like.person)
  const fields = {
    ...query.toConfig().fields,
    likes: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(person))),
      args: { limit: { type: GraphQLInt } },
      resolve: (_: unknown, { limit = PAGE }: { readonly limit?: number }) => newest.slice(0, limit),
    },
  }
  return new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields }) })
}

const createMercurius = (data: SocialData): SocialServer => {
  const tokens = createTokens(data)
  const maps = createMaps(data)
  const fastify = Fastify()
  fastify.register(mercurius, {
    schema: withLikes(data.people),
    jit: 1,
    context: ({ headers }) => {
      const viewer = tokens.get(bearer(headers.authorization))
      if (viewer === undefined) throw new Error('Unknown token')
      return createRequest(maps, viewer)
    },
  })
  return serve(fastify, tokens)
}

/** The smallest possible server: it returns the same bytes to every viewer. */
const createConstant = (data: SocialData): SocialServer => {
  const body = JSON.stringify({ name: 'Person Number 1', id: data.viewers[0] })
  const headers = {
    'Content-Type': TYPE,
    'Content-Length': Buffer.byteLength(body),
  }
  const server = createServer((_, response) => response.writeHead(200, headers).end(body))
  return { tokens: ['none'], listen: () => startListening(server) }
}

const CREATORS: {
  readonly [name in ServerName]: (data: SocialData) => SocialServer | Promise<SocialServer>
} = {
  kithgraph: createOurs,
  fastify: data => createHandWritten(data, sendPlain),
  'fastify, same headers': data => createHandWritten(data, sendWithHeaders),
  mercurius: createMercurius,
  constant: createConstant,
}

/** Creates one of the servers over the social data. */
export const createSocialServer = async (name: ServerName): Promise<SocialServer> =>
  CREATORS[name](createSocialData())
