import { createGraph, createStaticAuth, type GraphError, type GraphOptions, isGraphError } from 'kithgraph'
import { createExplorer } from 'kithgraph/explorer'
import { createHandler } from 'kithgraph/http'
import { describe, expect, it } from 'vitest'
import { ADA, worldStore } from '../helpers/world.ts'
import { faultOf, loosely } from '../unit/abuse/fault-of.ts'
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
  const graph = createGraph(await worldStore(), { auth, appSecrets: { shop: APP_SECRET }, ...options })
  const issued = await graph.tokens.issue({ viewer: ADA, app: 'shop' })
  const jwt = await sign('HS256', secretBytes(), { exp: 1 })
  return { graph, secrets: { ...STATIC, issued, jwt, app: `shop|${APP_SECRET}`, appSecret: APP_SECRET } }
}

/** What a text would show of a secret: all of it or its first letters, as it is or in one of the forms of messages. */
const shown = (text: string, secret: string): string | undefined => {
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    secret.replaceAll(' ', ''),
  ]
  const parts = forms.flatMap(form => [form, form.slice(0, 12)]).filter(part => part.length > 4)
  // What comes before an app's secret is no secret.
  return parts.find(part => !part.startsWith('shop|') && text.includes(part))
}

const textOf = (fault: GraphError): string =>
  [fault.message, fault.stack, JSON.stringify(fault), JSON.stringify(fault.data), String(fault.cause)].join(
    '\n',
  )

/** Expressions with a secret in every place that a message quotes. */
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

describe('no message and no error callback shows a secret', () => {
  it('over HTTP, wherever it is sent', async () => {
    const { graph, secrets } = await open()
    const told: string[] = []
    const handler = createHandler(graph, { onFault: fault => void told.push(textOf(fault)) })
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
        // What succeeds repeats names and links to the one who asked for them; its messages are in `__debug__`.
        const { error, __debug__: debug } = JSON.parse(await response.text())
        const message = JSON.stringify({ error, debug })
        const header = response.headers.get('www-authenticate') ?? ''
        expect(shown(message + header, secret), `${kind}: ${path}\n${message}`).toBeUndefined()
      }
    }
    expect(told.length).toBeGreaterThan(100)
    for (const secret of Object.values(secrets))
      expect(told.find(text => shown(text, secret))).toBeUndefined()
  })

  it('in a batch', async () => {
    const { graph, secrets } = await open()
    const told: string[] = []
    const handler = createHandler(graph, { onFault: fault => void told.push(textOf(fault)) })
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
        expect(shown(await response.text(), secret)).toBeUndefined()
      }
    }
    expect(told.length).toBeGreaterThan(20)
    for (const secret of Object.values(secrets))
      expect(told.find(text => shown(text, secret))).toBeUndefined()
  })

  it('in the process, from explain, and from the Explorer, which needs no token', async () => {
    const { graph, secrets } = await open()
    const explorer = createExplorer(graph, { graphPath: '/graph' })
    for (const secret of Object.values(secrets)) {
      for (const fields of expressions(secret)) {
        for (const call of [
          () => loosely(graph.getMe, STATIC.name, { fields }),
          () => loosely(graph.getNode, STATIC.name, { id: secret, fields: 'name' }),
          async () => graph.explain({ type: 'user', fields }),
        ]) {
          const fault: unknown = await call().then(
            () => undefined,
            (error: unknown) => error,
          )
          if (isGraphError(fault)) expect(shown(textOf(fault), secret), fields).toBeUndefined()
        }
        const query = new URLSearchParams({ type: 'user', fields })
        const response = await explorer(new Request(`http://localhost/explorer/plan.json?${query}`))
        const { error } = JSON.parse(await response.text())
        if (error !== undefined) expect(shown(JSON.stringify(error), secret)).toBeUndefined()
      }
    }
  })

  it('if it is the token of the call itself, of whatever kind, also in what an Auth throws', async () => {
    const { graph } = await open()
    const fault = await faultOf(loosely(graph.getMe, OWN, { fields: `name,${OWN}` }))
    expect(fault.data.reason).toBe('syntax')
    expect(shown(textOf(fault), OWN)).toBeUndefined()
    const auth = {
      authenticate: (token: string) => Promise.reject(new Error(`cannot look up ${token} at present`)),
    }
    const { graph: broken } = await open({ auth })
    const thrown = await faultOf(broken.getMe(OWN))
    expect(String(thrown.cause)).toBe('Error: cannot look up … at present')
    expect(shown(textOf(thrown), OWN)).toBeUndefined()
  })

  it('however long the token of the call is, and whatever is in it', async () => {
    const { graph } = await open()
    for (const token of [
      '('.repeat(100_000),
      '['.repeat(8),
      '\\'.repeat(50_000),
      '\ud800'.repeat(5000),
      '$&$1 $`',
    ]) {
      expect((await faultOf(graph.getMe(token))).data.reason).toBe('token_unknown')
    }
  })

  it('of the declared ones in what is printed of an Auth', () => {
    const auth = createStaticAuth({ [STATIC.name]: { app: 'tests' } })
    expect(JSON.stringify(auth)).not.toContain(STATIC.name)
    expect(Object.values(auth).map(String).join('')).not.toContain(STATIC.name)
  })

  it('while what is no secret stays: a fault without one is the same fault', async () => {
    const { graph } = await open()
    const fault = await faultOf(loosely(graph.getMe, STATIC.name, { fields: 'name,nome' }))
    expect(fault.message).toContain('nome')
    const other = await faultOf(loosely(graph.getMe, STATIC.name, { fields: 'name,words' }))
    // A short token is replaced only as a word of its own.
    expect(other.message).toContain('words')
  })
})
