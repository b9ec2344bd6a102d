import { createGraph, createStaticAuth, type GraphError, type GraphOptions, isGraphError } from 'kithgraph'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { ADA, createWorldStore } from '../helpers/world.ts'
import { callUntyped, expectGraphError } from '../unit/abuse/expect-graph-error.ts'
import { secretBytes, sign } from '../unit/access/jwt-issuer.ts'

const APP_SECRET = 'kept by the "shop" & by us'
const STATIC = {
  short: 'word',
  name: 'static_token_of_the_report',
  dashes: 'static-token.of/the%report',
  spaces: 'a token (of a test) "quoted"',
  long: `long_${'0123456789'.repeat(12)}`,
}
const OWN = 'own-kind-of-token-17'

const open = async (options: GraphOptions = {}) => {
  const declared = Object.fromEntries(
    Object.values(STATIC).map(token => [token, { viewer: ADA, app: 'tests' }]),
  )
  const own = (token: string) => (token === OWN ? { viewer: ADA, app: 'tests' } : undefined)
  const auth = [
    createStaticAuth(declared),
    {
      authenticate: (token: string) => {
        const grant = own(token)
        const times = { issuedAt: 0, expiresAt: undefined }
        return grant && { session: { ...grant, scopes: [], ...times } }
      },
    },
  ]
  const graph = createGraph(await createWorldStore(), { auth, appSecrets: { shop: APP_SECRET }, ...options })
  const issued = await graph.tokens.issue({ viewer: ADA, app: 'shop' })
  const jwt = await sign('HS256', secretBytes(), { exp: 1 })
  return { graph, secrets: { ...STATIC, issued, jwt, app: `shop|${APP_SECRET}`, appSecret: APP_SECRET } }
}

/**
 * Returns the part of a secret that a text contains: the whole secret or its first 12 characters, unchanged
 * or in a format of messages.
 */
const findSecret = (text: string, secret: string): string | undefined => {
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    secret.replaceAll(' ', ''),
  ]
  const parts = forms.flatMap(form => [form, form.slice(0, 12)]).filter(part => part.length > 4)
  // In an app token, the app id before the secret is public.
  return parts.find(part => !part.startsWith('shop|') && text.includes(part))
}

const textOf = (error: GraphError): string =>
  [error.message, error.stack, JSON.stringify(error), JSON.stringify(error.data), String(error.cause)].join(
    '\n',
  )

/** Creates expressions with a secret in every position that a message quotes. */
const expressions = (secret: string): readonly string[] => [
  secret,
  `name,${secret}`,
  `${secret}{name}`,
  `photos.${secret}(1)`,
  `photos.limit(${secret})`,
  `photos.after(${secret})`,
  `photos.since(${secret})`,
  `name.as(${secret})`,
  `name,name,${secret}`,
  `${'x'.repeat(50)}${secret}`,
  `${secret},${secret}`,
]

describe('a secret in messages and error callbacks', () => {
  it('does not appear over HTTP, wherever it is sent', async () => {
    const { graph, secrets } = await open()
    const messages: string[] = []
    const handler = createHandler(graph, { onError: error => void messages.push(textOf(error)) })
    const session = encodeURIComponent(STATIC.name)
    for (const [kind, secret] of Object.entries(secrets)) {
      const text = encodeURIComponent(secret)
      const paths = [
        ...expressions(secret).flatMap(fields => [
          `/me?fields=${encodeURIComponent(fields)}&access_token=${session}`,
          `/me?fields=${encodeURIComponent(fields)}`,
          `/me?partial=1&debug=all&fields=${encodeURIComponent(fields)}&access_token=${session}`,
        ]),
        `/${text}?access_token=${session}`,
        `/me/${text}?access_token=${session}`,
        `/me/photos/${text}/x?access_token=${session}`,
        `/me/%ZZ${text}/x/y?access_token=${session}`,
        `/?ids=${text}&access_token=${session}`,
        `/?partial=1&ids=${ADA},${text}&access_token=${session}`,
        `/me?${text}=1&${text}=2&access_token=${session}`,
        `/me?metadata=${text}&access_token=${session}`,
        `/me/photos?after=${text}&access_token=${session}`,
        `/me/photos?limit=${text}&order=${text}&access_token=${session}`,
        `/v${text}/me?access_token=${session}`,
        `/me?method=${text}&access_token=${session}`,
        `/debug_token?input_token=${text}&access_token=x${text}`,
        `/me?access_token=${text}&fields=${text}`,
      ]
      for (const path of paths) {
        const response = await handler(new Request(`http://localhost${path}`))
        // A successful response repeats names and links from the request. Its messages are in `__debug__`.
        const { error, __debug__: debug } = JSON.parse(await response.text())
        const message = JSON.stringify({ error, debug })
        const header = response.headers.get('www-authenticate') ?? ''
        expect(findSecret(message + header, secret), `${kind}: ${path}\n${message}`).toBeUndefined()
      }
    }
    expect(messages.length).toBeGreaterThan(100)
    for (const secret of Object.values(secrets))
      expect(messages.find(text => findSecret(text, secret))).toBeUndefined()
  })

  it('does not appear in a batch', async () => {
    const { graph, secrets } = await open()
    const messages: string[] = []
    const handler = createHandler(graph, { onError: error => void messages.push(textOf(error)) })
    for (const secret of Object.values(secrets)) {
      const item = (url: string) => ({ method: 'GET', relative_url: url })
      for (const items of [
        [item(`me?fields=${encodeURIComponent(secret)}!`)],
        [
          { ...item('me'), name: secret },
          { ...item('me'), name: secret },
        ],
        [{ ...item('me'), depends_on: secret }],
        [{ ...item('me'), method: secret }],
        [item(`me?fields={result=${secret}:$.id}`)],
      ]) {
        const body = new URLSearchParams({ batch: JSON.stringify(items), access_token: STATIC.name })
        const response = await handler(new Request('http://localhost/', { method: 'POST', body }))
        expect(findSecret(await response.text(), secret)).toBeUndefined()
      }
    }
    expect(messages.length).toBeGreaterThan(20)
    for (const secret of Object.values(secrets))
      expect(messages.find(text => findSecret(text, secret))).toBeUndefined()
  })

  it('does not appear in-process, in explain or in the Explorer, which needs no token', async () => {
    const { graph, secrets } = await open()
    const explorer = createExplorer(graph, { graphPath: '/graph' })
    for (const secret of Object.values(secrets)) {
      for (const fields of expressions(secret)) {
        for (const call of [
          () => callUntyped(graph.getMe, STATIC.name, { fields }),
          () => callUntyped(graph.getNode, STATIC.name, { id: secret, fields: 'name' }),
          async () => graph.explain({ type: 'user', fields }),
        ]) {
          const error: unknown = await call().then(
            () => undefined,
            (thrown: unknown) => thrown,
          )
          if (isGraphError(error)) expect(findSecret(textOf(error), secret), fields).toBeUndefined()
        }
        const query = new URLSearchParams({ type: 'user', fields })
        const response = await explorer(new Request(`http://localhost/explorer/plan.json?${query}`))
        const { error } = JSON.parse(await response.text())
        if (error !== undefined) expect(findSecret(JSON.stringify(error), secret)).toBeUndefined()
      }
    }
  })

  it('does not appear if it is the token of the call, even in an error that an Auth throws', async () => {
    const { graph } = await open()
    const error = await expectGraphError(callUntyped(graph.getMe, OWN, { fields: `name,${OWN}` }))
    expect(error.reason).toBe('invalid_syntax')
    expect(findSecret(textOf(error), OWN)).toBeUndefined()
    const auth = {
      authenticate: (token: string) => Promise.reject(new Error(`cannot look up ${token} at present`)),
    }
    const { graph: broken } = await open({ auth })
    const thrown = await expectGraphError(broken.getMe(OWN))
    expect(String(thrown.cause)).toBe('Error: cannot look up … at present')
    expect(findSecret(textOf(thrown), OWN)).toBeUndefined()
  })

  it('causes only the error token_invalid if it is very long or has special characters', async () => {
    const { graph } = await open()
    for (const token of [
      '('.repeat(100_000),
      '['.repeat(8),
      '\\'.repeat(50_000),
      '\ud800'.repeat(5000),
      '$&$1 $`',
    ]) {
      expect((await expectGraphError(graph.getMe(token))).reason).toBe('token_invalid')
    }
  })

  it('does not appear if an Auth with declared tokens is printed', () => {
    const auth = createStaticAuth({ [STATIC.name]: { app: 'tests' } })
    expect(JSON.stringify(auth)).not.toContain(STATIC.name)
    expect(Object.values(auth).map(String).join('')).not.toContain(STATIC.name)
  })

  it('does not change an error that does not contain it', async () => {
    const { graph } = await open()
    const error = await expectGraphError(callUntyped(graph.getMe, STATIC.name, { fields: 'name,nome' }))
    expect(error.message).toContain('nome')
    const other = await expectGraphError(callUntyped(graph.getMe, STATIC.name, { fields: 'name,words' }))
    // A short token is masked only as a whole word.
    expect(other.message).toContain('words')
  })
})
