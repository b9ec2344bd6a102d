import { createServer } from 'node:http'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { Strategy, type StrategyOptions } from 'passport-facebook'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { APP_SECRET, createWorldHandler, serveWorld } from '../../helpers/served-world.ts'
import { startServer } from '../../helpers/start-server.ts'
import { ADA, ENGINE, SCOPES } from '../../helpers/world.ts'

let world: Awaited<ReturnType<typeof serveWorld>>
beforeAll(async () => {
  world = await serveWorld()
})
afterAll(() => world.stop())

/** Creates a client that reads profiles from this server. */
const createStrategy = (options: Partial<StrategyOptions> = {}): Strategy =>
  new Strategy(
    {
      clientID: 'demo',
      clientSecret: APP_SECRET,
      callbackURL: 'https://shop.example/signed-in',
      profileURL: `${world.origin}/v3.2/me`,
      ...options,
    },
    () => undefined,
  )

/** Returns the profile that the client reads. */
const readProfile = (token: string, options?: Partial<StrategyOptions>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    createStrategy(options).userProfile(token, (error: unknown, profile: unknown) =>
      error ? reject(error) : resolve(profile),
    )
  })

describe('the client passport-facebook', () => {
  it('reads a profile of the default fields', async () => {
    expect(await readProfile(world.token)).toMatchObject({
      provider: 'facebook',
      id: ADA,
      displayName: 'Ada Lovelace',
      _json: { name: 'Ada Lovelace', id: ADA },
    })
  })

  it('reads a profile with the configured fields', async () => {
    const profileFields = [
      'id',
      'username',
      'displayName',
      'name',
      'gender',
      'birthday',
      'profileUrl',
      'emails',
      'photos',
    ]
    expect(await readProfile(world.token, { profileFields })).toMatchObject({
      id: ADA,
      displayName: 'Ada Lovelace',
      name: { familyName: 'Lovelace', givenName: 'Ada', middleName: undefined },
      gender: undefined,
      emails: [{ value: 'ada@example.org' }],
      photos: [{ value: 'https://img.example/ada/50.jpg' }],
      _json: { birthday: '12/10/1990' },
    })
  })

  it('reads fields with modifiers and braces', async () => {
    const profileFields = ['id', 'picture.type(large)', 'friends.limit(1){name}']
    expect(await readProfile(world.token, { profileFields })).toMatchObject({
      photos: [{ value: 'https://img.example/ada/200.jpg' }],
      _json: { friends: { data: [{ name: 'Alan Turing' }] } },
    })
  })

  it('omits the email address if the token lacks the scope', async () => {
    const profile = await readProfile(world.unscopedToken, { profileFields: ['id', 'emails'] })
    expect(profile).toMatchObject({ id: ADA })
    expect(profile).not.toHaveProperty('emails')
  })

  it('reads the profile of a page with a token of the page', async () => {
    const token = await world.graph.tokens.issue({ viewer: ENGINE, app: 'demo', scopes: SCOPES })
    expect(await readProfile(token)).toMatchObject({ id: ENGINE, displayName: 'The Analytical Engine' })
  })

  it('sends a proof of possession, which is checked', async () => {
    const options = { enableProof: true, profileFields: ['id'] }
    expect(await readProfile(world.token, options)).toMatchObject({ id: ADA })
    await expect(readProfile(world.token, { ...options, clientSecret: 'another' })).rejects.toMatchObject({
      name: 'FacebookGraphAPIError',
      type: 'GraphMethodException',
      code: 100,
    })
  })

  it.each([
    ['an invalid token', 'nobody', {}, { type: 'OAuthException', code: 190, subcode: undefined }],
    ['no token at all', '', {}, { type: 'OAuthException', code: 104 }],
    ['an unknown field', undefined, { profileFields: ['nmae'] }, { type: 'OAuthException', code: 100 }],
    ['a field twice', undefined, { profileFields: ['id', 'id'] }, { type: 'OAuthException', code: 2500 }],
  ])('throws a typed error for %s', async (_, token, options, expected) => {
    await expect(readProfile(token ?? world.token, options)).rejects.toMatchObject({
      name: 'FacebookGraphAPIError',
      traceID: expect.stringMatching(/\w/),
      ...expected,
    })
  })

  it('throws an InternalOAuthError if the server is down', async () => {
    const closedServer = await startServer(createServer())
    await closedServer.stop()
    await expect(
      readProfile(world.token, { profileURL: `${closedServer.origin}/v3.2/me` }),
    ).rejects.toMatchObject({
      name: 'InternalOAuthError',
      message: 'Failed to fetch user profile',
    })
  })

  it('throws an InternalOAuthError for an HTML response of a proxy', async () => {
    const proxy = await startServer(
      createServer((_, response) =>
        response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway'),
      ),
    )
    const profile = readProfile(world.token, { profileURL: `${proxy.origin}/v3.2/me` })
    await expect(profile).rejects.toMatchObject({
      name: 'InternalOAuthError',
      oauthError: { statusCode: 502 },
    })
    await proxy.stop()
  })
})

describe('a sign-in by the client passport-facebook', () => {
  it('reads the profile with a token of another service', async () => {
    const { graph, token } = await createWorldHandler()
    const handler = createHandler(graph, { basePath: '/graph' })
    const listener = toNodeListener(handler)
    const server = await startServer(
      createServer((request, response) => {
        if (request.url?.startsWith('/graph/')) return listener(request, response)
        // The response of the token service to the code from the browser.
        response.setHeader('Content-Type', 'application/json')
        return response.end(JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: 3600 }))
      }),
    )
    const user = await new Promise((resolve, reject) => {
      const strategy = new Strategy(
        {
          clientID: 'demo',
          clientSecret: APP_SECRET,
          callbackURL: 'https://shop.example/signed-in',
          tokenURL: `${server.origin}/token`,
          profileURL: `${server.origin}/graph/v3.2/me`,
          profileFields: ['id', 'displayName'],
          enableProof: true,
        },
        (_accessToken, _refreshToken, profile, done) => done(null, { ...profile }),
      )
      const actions = { success: resolve, fail: reject, error: reject }
      Object.assign(Object.create(strategy), actions).authenticate(
        { query: { code: 'from the browser' } },
        {},
      )
    })
    expect(user).toMatchObject({ id: ADA, displayName: 'Ada Lovelace' })
    await server.stop()
  })
})
