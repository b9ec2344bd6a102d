import { collection, createGraph, defineSchema, edge, field, node, parameter } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createClient } from 'kithgraph/client'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

const schema = defineSchema(
  {
    event: node({
      fields: {
        title: field.string({ default: true, required: true }),
        start: field.datetime({ required: true }),
      },
      edges: {
        guests: edge('person', {
          fields: { rank: field.int({ required: true }) },
          orders: { top: { by: 'rank' } },
        }),
      },
    }),
    person: node({ appScoped: true, fields: { name: field.string({ default: true }) } }),
  },
  {
    viewers: ['person'],
    collections: {
      events: collection('event', {
        by: 'start',
        order: 'chronological',
        parameters: { text: parameter.string() },
        reads: ['title'],
        where: ({ target }, { text = '' }) => `${target.fields.title}`.includes(text),
      }),
      people: collection('person'),
    },
  },
)

const serve = async ({ isScoped = false } = {}) => {
  const appIds = createAppIds({ secrets: { 1: 'a secret of sixteen characters' }, current: 1 })
  const graph = createGraph(createMemoryStore(), {
    schema,
    secret: 'another secret of the tests',
    ...(isScoped && { appIds }),
  })
  await graph.write([
    { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Ben' } } },
    { op: 'putNode', node: { id: '20', type: 'event', fields: { title: 'Fair', start: '2026-05-02' } } },
    { op: 'putNode', node: { id: '21', type: 'event', fields: { title: 'Ball', start: '2026-05-01' } } },
    { op: 'putNode', node: { id: '22', type: 'event', fields: { title: 'Walk', start: '2026-05-03' } } },
    { op: 'putEdge', edge: { source: '20', name: 'guests', target: '1', time: 1, data: { rank: 8 } } },
    { op: 'putEdge', edge: { source: '20', name: 'guests', target: '2', time: 2, data: { rank: 3 } } },
  ])
  const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: [] })
  const handler = createHandler(graph, { baseUrl: 'https://graph.example' })
  const read = async (path: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const response = await handler(new Request(`https://graph.example${path}`, { headers }))
    return { body: JSON.parse(await response.text()) }
  }
  return { handler, token, read }
}

const titlesOf = ({ data }: { readonly data: readonly { readonly title: string }[] }) =>
  data.map(({ title }) => title)

describe('a collection over HTTP', () => {
  it('is a path below /root, with links to its other pages', async () => {
    const { read } = await serve()
    const { body } = await read('/root/events?limit=2')
    expect(titlesOf(body)).toEqual(['Ball', 'Fair'])
    const next = new URL(body.paging.next)
    expect(next.origin + next.pathname).toBe('https://graph.example/root/events')
    expect(titlesOf((await read(`/root/events${next.search}`)).body)).toEqual(['Walk'])
  })

  it('is a field of /root, and takes its parameters as modifiers', async () => {
    const { read } = await serve()
    const { body } = await read('/root?fields=events.text(a).limit(1){title},people.summary(true).limit(0)')
    expect(titlesOf(body.events)).toEqual(['Ball'])
    expect([body.people.summary.total_count, body.id]).toEqual([2, 'root'])
  })

  it('takes its parameters and its period as query parameters, and rejects others', async () => {
    const { read } = await serve()
    expect(titlesOf((await read('/root/events?text=al')).body)).toEqual(['Ball', 'Walk'])
    expect(titlesOf((await read('/root/events?since=2026-05-02&until=2026-05-02T12:00:00Z')).body)).toEqual([
      'Fair',
    ])
    for (const path of ['/root/events?city=Bath', '/root/people?since=5', '/root/events?order=top'])
      expect((await read(path)).body.error.error_data.reason).toBe('invalid_parameter')
  })

  it('shows the public ids of an app, and its cursors hide the stored ones', async () => {
    const { read } = await serve({ isScoped: true })
    const { body } = await read('/root/people?limit=1')
    expect(body.data[0].id).toMatch(/^\d{20}$/)
    const after = encodeURIComponent(body.paging.cursors.after)
    expect(
      (await read(`/root/people?after=${after}`)).body.data.map(({ name }: { name: string }) => name),
    ).toEqual(['Ada'])
    const forged = encodeURIComponent(`${body.paging.cursors.after.slice(0, -1)}A`)
    expect((await read(`/root/people?after=${forged}B`)).body.error.code).toBe(100)
  })

  it('has one entry for each node', async () => {
    const { read } = await serve()
    expect(titlesOf((await read('/root/events/20')).body)).toEqual(['Fair'])
    expect((await read('/root/events/1')).body).toEqual({ data: [] })
    expect((await read('/root/events/99')).body).toEqual({ data: [] })
  })

  it('is read by the client with the same calls and types', async () => {
    const { handler, token } = await serve()
    const client = createClient<typeof schema>('https://graph.example', {
      fetch: (url, init) => handler(new Request(url, init)),
    })
    const page = await client.getEdge(token, { id: 'root', edge: 'events', limit: 2, summary: true })
    expect([titlesOf(page), page.summary]).toEqual([
      ['Ball', 'Fair'],
      { order: 'chronological', total_count: 3 },
    ])
    const root = await client.getNode(token, { id: 'root', fields: 'people{name}' })
    expect(root.people.data.map(({ name }) => name)).toEqual(['Ben', 'Ada'])
    const titles: string[] = []
    for await (const { title } of client.iterateEdge(token, { id: 'root', edge: 'events', limit: 1 }))
      titles.push(title)
    expect(titles).toEqual(['Ball', 'Fair', 'Walk'])
  })
})

describe('an order over HTTP', () => {
  it('is chosen by the parameter order, which its links keep', async () => {
    const { read } = await serve()
    const { body } = await read('/20/guests?order=top&limit=1&summary=true&fields=name,rank')
    expect([body.data[0].rank, body.summary]).toEqual([8, { order: 'top', total_count: 2 }])
    const { search } = new URL(body.paging.next)
    expect(search).toContain('order=top')
    expect((await read(`/20/guests${search}`)).body.data[0].rank).toBe(3)
  })
})

describe('the OpenAPI document of a schema with collections and orders', () => {
  it('has their paths and parameters', async () => {
    const { read } = await serve()
    const { body } = await read('/openapi.json')
    expect(Object.keys(body.paths)).toEqual(expect.arrayContaining(['/root', '/root/events', '/root/people']))
    expect(body.paths).not.toHaveProperty(['/{id}/events'])
    const parameterNames = body.paths['/root/events'].get.parameters.map(
      ({ name }: { name?: string }) => name,
    )
    expect(parameterNames).toContain('text')
    const orders = body.paths['/{id}/guests'].get.parameters.find(
      ({ name }: { name?: string }) => name === 'order',
    )
    expect(orders.schema.enum).toEqual(['top', 'chronological', 'reverse_chronological'])
    expect(body.components.parameters.node_type.schema.enum).toEqual(['event', 'person'])
  })
})
