import express, { type ErrorRequestHandler, type Express, type Request } from 'express'
import { isGraphError } from 'kithgraph'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { PEOPLE, type PhotoGraph } from './graph.ts'
import { errorPage, photosPage, signInPage } from './pages.ts'
import { addPhoto } from './photos.ts'

const SCOPES = ['user_photos', 'user_friends']
const WEEK = 7 * 24 * 3_600_000
/**
 * Scripts cannot read the cookie, and browsers do not send it with requests from other sites. If the service
 * uses HTTPS, also set `secure`.
 */
const COOKIE = { httpOnly: true, sameSite: 'strict', maxAge: WEEK } as const

/** Returns the token in the cookie. Without a cookie, returns an empty text, which is not a valid token. */
const tokenOf = ({ headers }: Request): string =>
  /(?:^|; )token=([^;]+)/.exec(headers.cookie ?? '')?.[1] ?? ''

const toText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

/**
 * Redirects to the sign-in page if the token is not valid. For any other error of the graph, responds with
 * the HTTP status of the error.
 */
const handleError: ErrorRequestHandler = (error, _request, response, next) => {
  if (!isGraphError(error)) return next(error)
  if (error.code === 190 || error.code === 104) return response.redirect(303, '/')
  const isMissing = error.reason === 'node_not_found'
  return response
    .status(isMissing ? 404 : error.status)
    .send(errorPage(isMissing ? 'Not here' : error.message))
}

/** Creates the service: pages for people, and the graph at `/graph` for programs. */
export const createApp = (graph: PhotoGraph): Express => {
  const app = express()
  app.use('/graph', toNodeListener(createHandler(graph, { basePath: '/graph' })))
  app.use(express.urlencoded())

  app.get('/', (_request, response) => {
    response.send(signInPage())
  })
  app.post('/session', async ({ body }, response) => {
    const person = PEOPLE.find(({ id }) => id === body?.person)
    if (person === undefined) return response.redirect(303, '/')
    const token = await graph.tokens.issue({
      viewer: person.id,
      app: 'photos',
      scopes: SCOPES,
      expiresInMs: WEEK,
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
        after: toText(request.query.after),
      }),
    ])
    response.send(photosPage(owner.name, me.id === owner.id, photos))
  })
  app.post('/photos', async (request, response) => {
    await addPhoto(graph, tokenOf(request), request.body ?? {})
    response.redirect(303, '/people/me')
  })
  app.use(handleError)
  return app
}
