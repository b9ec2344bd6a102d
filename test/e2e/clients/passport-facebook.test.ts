import { createServer } from 'node:http'
import { createHandler, toNodeListener } from 'kithgraph/http'
import { Strategy, type StrategyOptions } from 'passport-facebook'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listening } from '../../helpers/listening.ts'
import { APP_SECRET, handleWorld, serveWorld } from '../../helpers/served-world.ts'
import { ADA, ENGINE, SCOPES } from '../../helpers/world.ts'

let world: Awaited<ReturnType<typeof serveWorld>>
beforeAll(async () => {
  world = await serveWorld()
})
afterAll(() => world.stop())

/** A client that reads its profiles here, by the option that it has for this. */
const strategyFor = (options: Partial<StrategyOptions> = {}): Strategy =>
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

/** The profile that the client makes of an answer. */
const profileOf = (token: string, options?: Partial<StrategyOptions>): Promise<unknown> =>
  new Promise((resolve, reject) => {
    strategyFor(options).userProfile(token, (error: unknown, profile: unknown) =>
      error ? reject(error) : resolve(profile),
    )
  })

describe('the client passport-facebook', () => {
  it('reads a profile of the default fields', async () => {
    expect(await profileOf(world.token)).toMatchObject({
      provider: 'facebook',
      id: ADA,
      displayName: 'Ada Lovelace',
      _json: { name: 'Ada Lovelace', id: ADA },
    })
  })

  it('reads a profile of the fields that it is told, each in its place', async () => {
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
    expect(await profileOf(world.token, { profileFields })).toMatchObject({
      id: ADA,
      displayName: 'Ada Lovelace',
      name: { familyName: 'Lovelace', givenName: 'Ada', middleName: undefined },
      gender: undefined,
      emails: [{ value: 'ada@example.org' }],
      photos: [{ value: 'https://img.example/ada/50.jpg' }],
      _json: { birthday: '12/10/1990' },
    })
  })

  it('reads fields of its own users, with modifiers and braces, as it sends them', async () => {
    const profileFields = ['id', 'picture.type(large)', 'friends.limit(1){name}']
    expect(await profileOf(world.token, { profileFields })).toMatchObject({
      photos: [{ value: 'https://img.example/ada/200.jpg' }],
      _json: { friends: { data: [{ name: 'Alan Turing' }] } },
    })
  })

  it('leaves out the address of somebody whose token does not show it', async () => {
    const profile = await profileOf(world.bareToken, { profileFields: ['id', 'emails'] })
    expect(profile).toMatchObject({ id: ADA })
    expect(profile).not.toHaveProperty('emails')
  })

  it('reads the profile of a page by a token of the page', async () => {
    const token = await world.graph.tokens.issue({ viewer: ENGINE, app: 'demo', scopes: SCOPES })
    expect(await profileOf(token)).toMatchObject({ id: ENGINE, displayName: 'The Analytical Engine' })
  })

  it('proves that it knows the secret of its app', async () => {
    const options = { enableProof: true, profileFields: ['id'] }
    expect(await profileOf(world.token, options)).toMatchObject({ id: ADA })
    await expect(profileOf(world.token, { ...options, clientSecret: 'another' })).rejects.toMatchObject({
      name: 'FacebookGraphAPIError',
      type: 'GraphMethodException',
      code: 100,
    })
  })

  it.each([
    ['a token that is none', 'nobody', {}, { type: 'OAuthException', code: 190, subcode: undefined }],
    ['no token at all', '', {}, { type: 'OAuthException', code: 104 }],
    [
      'a field that there is not',
      undefined,
      { profileFields: ['nmae'] },
      { type: 'OAuthException', code: 100 },
    ],
    ['a field twice', undefined, { profileFields: ['id', 'id'] }, { type: 'OAuthException', code: 2500 }],
  ])('takes the fault for %s as a typed error', async (_, token, options, expected) => {
    await expect(profileOf(token ?? world.token, options)).rejects.toMatchObject({
      name: 'FacebookGraphAPIError',
      traceID: expect.stringMatching(/\w/),
      ...expected,
    })
  })

  it('takes a server that is not there as an error of its own', async () => {
    const gone = await listening(createServer())
    await gone.stop()
    await expect(profileOf(world.token, { profileURL: `${gone.origin}/v3.2/me` })).rejects.toMatchObject({
      name: 'InternalOAuthError',
      message: 'Failed to fetch user profile',
    })
  })

  it('takes the answer of something in front as an error of its own', async () => {
    const proxy = await listening(
      createServer((_, response) =>
        response.writeHead(502, { 'Content-Type': 'text/html' }).end('<h1>Bad gateway'),
      ),
    )
    const reading = profileOf(world.token, { profileURL: `${proxy.origin}/v3.2/me` })
    await expect(reading).rejects.toMatchObject({
      name: 'InternalOAuthError',
      oauthError: { statusCode: 502 },
    })
    await proxy.stop()
  })
})

describe('the client passport-facebook signs somebody in', () => {
  it('with the profile from here, whoever gives out the tokens', async () => {
    const { graph, token } = await handleWorld()
    const handler = createHandler(graph, { basePath: '/graph' })
    const listener = toNodeListener(handler)
    const server = await listening(
      createServer((request, response) => {
        if (request.url?.startsWith('/graph/')) return listener(request, response)
        // What the service that gives out tokens answers for the code that the browser came back with.
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
