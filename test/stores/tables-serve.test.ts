import { request } from 'node:http'
import { connect } from 'node:net'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTables } from '../../src/cli/open-database.ts'
import { type PostgresServer, startPostgres } from '../helpers/postgres.ts'
import { sendRawRequest } from '../helpers/raw-request.ts'
import { PROJECT, runCli } from '../helpers/run-cli.ts'
import { type ServedTables, serveTables } from '../helpers/serve-tables.ts'
import { SHOP_TABLES } from '../helpers/shop-tables.ts'

let server: PostgresServer
let pool: pg.Pool
let url: string
let served: ServedTables
beforeAll(async () => {
  server = await startPostgres()
  pool = server.pool()
  await pool.query(SHOP_TABLES)
  const { user, password, host, port, database } = pool.options
  url = `postgres://${user}:${password}@${host}:${port}/${database}`
  served = await serveTables([url])
})
afterAll(async () => {
  await served.stop()
  await server.stop()
})

const get = (path: string, headers: { readonly [name: string]: string } = {}) =>
  sendRawRequest(served.origin, path, { headers })

const port = () => new URL(served.origin).port
const token = () => served.graphPath.split('/')[1] ?? ''

describe('kithgraph serve', () => {
  it('prints one URL with a long token, what it leaves out, and that it is not for production', () => {
    expect(served.lines).toEqual([
      expect.stringMatching(
        /^Explorer of 3 tables, until Ctrl-C: http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/explorer\/$/,
      ),
      expect.stringMatching(
        /^Graph API: curl 'http:\/\/127\.0\.0\.1:\d+\/[\w-]{43}\/graph\/root\/customers\?limit=3'$/,
      ),
      expect.stringMatching(/no policies.*not for production/),
      'Left out, because the names suggest secrets: "session_token", "customer"."api_key", "customer"."password_digest"',
      'Left out, because the tables have no key: "log"',
    ])
  })

  it('serves the rows of the tables as a graph, without a header', async () => {
    const { status, text } = await get(`${served.graphPath}/customer-1?fields=name,purchases.limit(1){state}`)
    expect({ status, body: JSON.parse(text) }).toMatchObject({
      status: 200,
      body: {
        id: 'customer-1',
        name: 'M4RK3R Ada',
        purchases: { data: [{ id: 'purchase-2', state: 'open' }] },
      },
    })
  })

  it('serves the list of the command that it prints', async () => {
    const { pathname, search } = new URL(/http:[^']+/.exec(served.lines[1] ?? '')?.[0] ?? '')
    const { status, text } = await get(`${pathname}${search}`)
    expect({ status, ids: JSON.parse(text).data.map(({ id }: { id: string }) => id) }).toEqual({
      status: 200,
      ids: expect.arrayContaining(['customer-1']),
    })
  })

  it('never serves a column whose name suggests a secret', async () => {
    for (const column of ['password_digest', 'api_key']) {
      const { status, text } = await get(`${served.graphPath}/customer-1?fields=${column}`)
      expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('field_not_found') })
    }
  })

  it('serves the Explorer, and leads to it from the other paths of the token', async () => {
    const page = await get(`/${token()}/explorer/`)
    expect({ status: page.status, type: page.headers['content-type'] }).toEqual({
      status: 200,
      type: 'text/html; charset=UTF-8',
    })
    expect(await get(`/${token()}`)).toMatchObject({
      status: 307,
      headers: { location: `/${token()}/explorer/` },
      text: `The Graph API is at ${served.graphPath}/, and the Explorer at /${token()}/explorer/.\n`,
    })
  })

  it.each(['localhost', '127.0.0.1', '[::1]', 'LOCALHOST'])(
    'accepts the host %s with its port',
    async name => {
      const { status } = await get(`${served.graphPath}/customer-1`, { host: `${name}:${port()}` })
      expect(status).toBe(200)
    },
  )

  it.each([
    ['another name', () => `rebound.example:${port()}`],
    ['a name that begins like localhost', () => `localhost.example:${port()}`],
    ['another address', () => `127.0.0.2:${port()}`],
    ['another port', () => 'localhost:1'],
    ['no port', () => 'localhost'],
    ['a name with an account', () => `localhost:${port()}@rebound.example`],
  ])('rejects %s with 403, with the token too', async (_, toHost) => {
    for (const path of [`${served.graphPath}/customer-1`, `/${token()}/explorer/`, '/'])
      expect(await get(path, { host: toHost() })).toMatchObject({ status: 403, text: 'Forbidden\n' })
  })

  it.each([
    ['no token', () => '/'],
    ['an empty token', () => '//graph/customer-1'],
    ['a wrong token', () => `/${'A'.repeat(43)}/graph/customer-1`],
    ['the beginning of the token', () => `/${token().slice(0, -1)}/graph/customer-1`],
    ['a longer token', () => `/${token()}A/graph/customer-1`],
    ['the token in another case', () => `/${token().toLowerCase()}/graph/customer-1`],
    ['the token in a query', () => `/graph/customer-1?token=${token()}`],
    ['the token behind another part', () => `/graph/${token()}/customer-1`],
    [
      'the token with an escape',
      () => `/%${token().charCodeAt(0).toString(16)}${token().slice(1)}/graph/customer-1`,
    ],
    ['an absolute URL', () => `http://localhost:${port()}/${token()}/graph/customer-1`],
  ])('rejects %s with 403', async (_, toPath) => {
    for (const method of ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'])
      expect(await sendRawRequest(served.origin, toPath(), { method })).toMatchObject({ status: 403 })
  })

  it('rejects a request of HTTP/1.0 without a host with 403', async () => {
    const response = await new Promise<string>(resolve => {
      let text = ''
      const socket = connect(Number(port()), '127.0.0.1', () =>
        socket.write(`GET ${served.graphPath}/customer-1 HTTP/1.0\r\n\r\n`),
      )
      socket.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      socket.on('close', () => resolve(text))
    })
    expect(response).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('has no CORS, so that no other website reads a response', async () => {
    const headers = { origin: 'https://other.example', 'access-control-request-method': 'GET' }
    const responses = [
      await get(`${served.graphPath}/customer-1`, headers),
      await get('/', headers),
      await sendRawRequest(served.origin, `${served.graphPath}/customer-1`, { method: 'OPTIONS', headers }),
    ]
    for (const response of responses)
      expect(Object.keys(response.headers).filter(name => name.startsWith('access-control-'))).toEqual([])
  })

  it('listens only on 127.0.0.1', async () => {
    const error = await new Promise(resolve => {
      request({ host: '127.0.0.2', port: port() }).on('error', resolve).on('response', resolve).end()
    })
    expect(error).toMatchObject({ code: 'ECONNREFUSED' })
  })

  it.each(['', '?options=-c%20work_mem%3D8MB'])(
    'cannot write through its connections: a URL with "%s"',
    async options => {
      const { database } = await openTables(
        { text: `${url}${options}`, origin: 'the arguments' },
        PROJECT,
        {},
      )
      await expect(
        database.readNumber("insert into log values ('written') returning 1"),
      ).rejects.toMatchObject({
        code: '25006',
      })
      if (options !== '')
        expect(
          await database.readNumber(
            "select '8' from pg_settings where name = 'work_mem' and setting = '8192'",
          ),
        ).toBe(8)
      await database.close()
    },
  )

  it('ends with the status 0 when it is interrupted, and closes its connections', async () => {
    const own = await serveTables([`${url}?application_name=served`, '--tables', 'product'])
    expect((await sendRawRequest(own.origin, `${own.graphPath}/product-tea`)).status).toBe(200)
    const count = async () =>
      (await pool.query("select from pg_stat_activity where application_name = 'served'")).rowCount
    expect(await count()).toBeGreaterThan(0)
    expect(await own.stop()).toBe(0)
    await expect.poll(count).toBe(0)
    await expect(sendRawRequest(own.origin, '/')).rejects.toThrow(/ECONN|socket hang up/)
  })

  it('serves at the given port, and fails if it is in use', async () => {
    const { status, errors } = await runCli(['serve', url, '--port', port()])
    expect({ status, errors }).toEqual({ status: 2, errors: [expect.stringContaining('EADDRINUSE')] })
  })

  it('rejects a database without keys', async () => {
    const { status, errors } = await runCli(['serve', url, '--tables', 'log'])
    expect({ status, errors }).toEqual({
      status: 2,
      errors: ['kithgraph: the database has no such tables with a key whose values can be ids'],
    })
  })
})
