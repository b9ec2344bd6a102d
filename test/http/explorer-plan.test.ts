import { describe, expect, it } from 'vitest'
import { exploreGraph, library } from './explore-graph.ts'

describe('plan.json of the Explorer', () => {
  it('returns the result of graph.explain, and the limit of its cost', async () => {
    const { graph, readExplorer } = exploreGraph({ schema: library })
    const calls = [
      { type: 'author' },
      { type: 'author', fields: 'name,books.limit(3){title}' },
      { type: 'author', edge: 'books', fields: 'title,role', version: 'v2.3' },
    ]
    for (const call of calls) {
      const explained: unknown = JSON.parse(JSON.stringify(graph.explain(call)))
      expect(await readExplorer('plan.json', call)).toMatchObject({ status: 200, body: explained })
    }
    const { body } = await exploreGraph({ limits: { cost: 10 } }).readExplorer('plan.json', { type: 'user' })
    expect(body).toMatchObject({ cost: 1, costLimit: 10 })
  })

  it.each([
    [{ type: 'author', fields: 'name' }, 1],
    [{ type: 'author', fields: 'name', count: '3' }, 3],
    [{ type: 'author', edge: 'books' }, 36],
    [{ type: 'author', edge: 'books', limit: '5' }, 16],
    [{ type: 'author', edge: 'books', limit: '5000' }, 111],
    [{ type: 'author', edge: 'books', limit: '5', summary: 'true' }, 116],
    [{ type: 'author', edge: 'books', limit: '0', summary: '1', count: '2' }, 222],
  ])('computes the cost that the graph charges for the request %j: %i', async (call, cost) => {
    const { body } = await exploreGraph({ schema: library }).readExplorer('plan.json', call)
    expect(body.cost).toBe(cost)
  })

  it('computes the cost in the error of the request', async () => {
    const { graph, readExplorer } = exploreGraph({ schema: library, limits: { cost: 1 } })
    await graph.load([{ node: { type: 'author', id: '1', fields: { name: 'Ada' } } }])
    const session = graph.session({ viewer: '1', app: 'test', scopes: ['writers'] })
    const { body } = await readExplorer('plan.json', {
      type: 'author',
      edge: 'books',
      fields: 'title,writer',
      limit: '7',
      summary: '1',
      count: '2',
    })
    const read = graph.getEdges(session, {
      ids: ['1', 'me'],
      edge: 'books',
      fields: 'title,writer',
      limit: 7,
      summary: true,
    })
    await expect(read).rejects.toMatchObject({ data: { cost: body.cost, limit: 1 } })
  })

  it.each<readonly [{ readonly q?: string }, number]>([
    [{}, 27],
    [{ q: 'x' }, 36],
    [{ q: '' }, 36],
  ])(
    'includes the cost of the filter that the parameters of the edge apply: %j',
    async (parameters, cost) => {
      const { graph, readExplorer } = exploreGraph({ schema: library, limits: { cost: 1 } })
      await graph.load([{ node: { type: 'author', id: '1', fields: { name: 'Ada' } } }])
      const call = { type: 'author', edge: 'drafts', fields: 'id', parameters: JSON.stringify(parameters) }
      expect((await readExplorer('plan.json', call)).body.cost).toBe(cost)
      const session = graph.session({ viewer: '1', app: 'test', scopes: [] })
      const read = graph.getEdge(session, { id: 'me', edge: 'drafts', fields: 'id', parameters })
      await expect(read).rejects.toMatchObject({ data: { cost, limit: 1 } })
    },
  )

  it.each<readonly [string, object]>([
    ['kind', { kind: 'medium', min: '1' }],
    ['min', {}],
    ['min', { min: 'many' }],
    ['sort', { min: '1', sort: 'x' }],
  ])('is an error for an invalid parameter of the edge: %s', async (name, parameters) => {
    const { readExplorer } = exploreGraph({ schema: library })
    const call = { type: 'author', edge: 'reviews', parameters: JSON.stringify(parameters) }
    const { status, body } = await readExplorer('plan.json', call)
    expect([status, body.error.error_data.parameter]).toEqual([400, name])
  })

  it('is an error, with its range, for an invalid parameter of an edge in the expression', async () => {
    const { readExplorer } = exploreGraph({ schema: library })
    const readPlan = (fields: string) => readExplorer('plan.json', { type: 'author', fields })
    expect((await readPlan('reviews.kind(long).min(1).limit(2){name}')).status).toBe(200)
    for (const [modifiers, name] of [
      ['.kind(medium).min(1)', 'kind'],
      ['.sort(x).min(1)', 'sort'],
      ['.kind(long)', 'min'],
    ]) {
      const { status, body } = await readPlan(`name,reviews${modifiers}{name}`)
      expect([status, body.error.error_data.parameter]).toEqual([400, name])
      expect(body.range).toEqual({ from: 5, to: 12 + `${modifiers}`.length })
    }
  })

  it('treats an empty parameter as missing', async () => {
    const { readExplorer } = exploreGraph()
    const empty = { type: 'user', edge: '', fields: '', version: '', count: '', limit: '', summary: '' }
    expect(await readExplorer('plan.json', empty)).toEqual(await readExplorer('plan.json', { type: 'user' }))
  })

  it.each([
    [{}, { reason: 'invalid_parameter', parameter: 'type' }],
    [{ type: 'constructor' }, { reason: 'invalid_parameter', parameter: 'type' }],
    [
      { type: 'user', version: '1' },
      { reason: 'invalid_parameter', parameter: 'version' },
    ],
    [
      { type: 'user', edge: 'fiends' },
      { reason: 'field_not_found', suggestions: ['friends', 'feed'] },
    ],
    [{ type: 'user', fields: 'a'.repeat(9000) }, { reason: 'expression_too_long' }],
    [
      { type: 'user', edge: 'friends', limit: '0' },
      { reason: 'invalid_parameter', parameter: 'limit' },
    ],
    [
      { type: 'user', edge: 'friends', summary: 'x' },
      { reason: 'invalid_parameter', parameter: 'summary' },
    ],
    [
      { type: 'user', count: '51' },
      { reason: 'invalid_parameter', parameter: 'count' },
    ],
  ])('returns an error without a position for %j', async (call, data) => {
    const { status, body } = await exploreGraph().readExplorer('plan.json', call)
    expect([status, body.error.error_data]).toMatchObject([400, data])
    expect(body).not.toHaveProperty('range')
  })
})

describe('an error in an expression of the Explorer', () => {
  /** Returns the error in an expression, and the expression with marks around the position of the error. */
  const readErrorAt = async (marked: string, type = 'user', edge = '') => {
    const fields = marked.replaceAll(/[«»]/g, '')
    const { status, body } = await exploreGraph().readExplorer('plan.json', { type, edge, fields })
    const { from, to } = body.range ?? {}
    return { status, body, shown: `${fields.slice(0, from)}«${fields.slice(from, to)}»${fields.slice(to)}` }
  }

  it.each([
    ['field_not_found', 'name, «nmae»'],
    ['field_not_found', '«n mae»'],
    ['field_not_found', 'name,photos.limit(2){name,from{name,«title»}}'],
    ['field_not_found', ' photos . limit( 2 ) . as( name ) { «nmae» , name }'],
    ['field_not_found', 'photos.fields(id,«nope»).limit(3)'],
    ['field_not_found', 'photos.limit(1).fields(comments.fields(id),«nope»),gender'],
    [
      'field_not_found',
      'photos.after(abc){id},posts.since(2014-01-01){comments.before(x){message},«mesage»}',
    ],
    ['field_not_found', '«first»,second'],
    ['invalid_parameter', 'name,«photos.limit( 0 ).order(chronological)» {id}'],
    ['invalid_parameter', 'id,«picture.type( "a b" )»,name'],
    ['invalid_parameter', '«name»{id}'],
    ['invalid_syntax', 'name,«»'],
    ['invalid_syntax', 'name «!» gender'],
    ['invalid_syntax', 'photos.limit( "a) b" ) «;» id'],
    ['invalid_syntax', 'photos{id«»'],
    ['duplicate_name', 'name , gender , «name»'],
    ['duplicate_name', 'photos.limit(1).«limit»( 2 )'],
    ['duplicate_name', 'photos{id},photos{id«}»'],
  ])('has its position, marked by « and »: %s in %s', async (reason, marked) => {
    const { status, body, shown } = await readErrorAt(marked)
    expect([status, body.error.error_data.reason, shown]).toEqual([400, reason, marked])
  })

  it('has its position and its suggestions in the entries of an edge', async () => {
    const { body, shown } = await readErrorAt('name,«joied»', 'group', 'members')
    expect([body.error.error_data.suggestions, shown]).toEqual([['joined'], 'name,«joied»'])
  })

  it('has its position if the version does not have a field', async () => {
    const { readExplorer } = exploreGraph({ schema: library })
    const { body } = await readExplorer('plan.json', {
      type: 'author',
      fields: 'id, pen_name',
      version: 'v1.0',
    })
    expect(body).toMatchObject({ error: { code: 12 }, range: { from: 4, to: 12 } })
  })
})
