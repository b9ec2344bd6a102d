import express, { type ErrorRequestHandler, type Express, type Request } from 'express'
import { isGraphError } from 'kithgraph'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { PEOPLE, type PhotoGraph } from './graph.ts'
import { doorPage, faultPage, photosPage } from './pages.ts'
import { addPhoto } from './photos.ts'

const SCOPES = ['user_photos', 'user_friends']
const WEEK = 7 * 24 * 3_600_000
/** Out of reach of scripts, and not sent where another site asks. */
const COOKIE = { httpOnly: true, sameSite: 'strict', maxAge: WEEK } as const

/** The token of whoever asks, as the cookie has it; an empty one is nobody's. */
const tokenOf = ({ headers }: Request): string =>
  /(?:^|; )token=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? ''

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/** Who has no good token is sent to the door; everything else that the graph refuses says its status. */
const showFault: ErrorRequestHandler = (error, _request, response, next) => {
  if (!isGraphError(error)) return next(error)
  if (error.code === 190 || error.code === 104) return response.redirect(303, '/')
  const isMissing = error.data.reason === 'node_missing'
  return response
    .status(isMissing ? 404 : error.status)
    .send(faultPage(isMissing ? 'Not here' : error.message))
}

/** The service: pages for people, and the graph at `/graph` for programs. */
export const createApp = (graph: PhotoGraph): Express => {
  const app = express()
  app.use('/graph', toNodeListener(createHandler(graph, { basePath: '/graph' })))
  app.use(express.urlencoded())

  app.get('/', (_request, response) => {
    response.send(doorPage())
  })
  app.post('/session', async ({ body }, response) => {
    const person = PEOPLE.find(({ id }) => id === body?.person)
    if (person === undefined) return response.redirect(303, '/')
    const token = await graph.tokens.issue({
      viewer: person.id,
      app: 'photos',
      scopes: SCOPES,
      expiresIn: WEEK,
    })
    return response.cookie('token', token, COOKIE).redirect(303, '/people/me')
  })
  app.get('/people/:id', async (request, response) => {
    const token = tokenOf(request)
    const id = request.params.id
    const [me, owner, photos] = await Promise.all([
      graph.getMe(token, { fields: 'id' }),
      graph.getNode(token, { id, type: 'user' }),
      graph.getEdge(token, {
        id,
        type: 'user',
        edge: 'photos',
        fields: 'name,link,audience,created_time',
        limit: 10,
        after: textOf(request.query.after),
      }),
    ])
    response.send(photosPage(owner.name, me.id === owner.id, photos))
  })
  app.post('/photos', async (request, response) => {
    await addPhoto(graph, tokenOf(request), request.body ?? {})
    response.redirect(303, '/people/me')
  })
  app.use(showFault)
  return app
}
