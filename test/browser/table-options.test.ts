import { collection, createGraph, defineSchema, edge, field, hasScope, node, parameter } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { expect, it } from 'vitest'
import { describeInBrowser } from './open-explorer.ts'
import { locateParts } from './page-parts.ts'
import { locateTable } from './table-parts.ts'

const talk = node({
  fields: {
    title: field.string({ default: true, required: true }),
    start_time: field.datetime({ required: true }),
    speaker: field.ref('person'),
  },
})
const person = node({
  fields: { name: field.string({ default: true }) },
  edges: {
    talks: edge('talk', {
      fields: { score: field.int({ required: true }) },
      orders: { best: { by: 'score' }, worst: { by: 'score', direction: 'ascending' } },
      parameters: {
        min_score: parameter.int({ description: 'Only talks with at least this score.' }),
        share: parameter.float(),
        is_good: parameter.bool(),
        title: parameter.string(),
        day: parameter.datetime(),
        speaker: parameter.id(),
      },
      where: ({ data }, { min_score: minScore, is_good: isGood }) =>
        Number(data.score) >= (minScore ?? 0) && (isGood === undefined || isGood === Number(data.score) > 5),
    }),
    found: edge('talk', { resolve: () => [{ entries: [{ id: '11', position: 'a' }], hasMore: false }] }),
  },
})

const plainSchema = defineSchema({ talk, person }, { viewers: ['person'] })
const schema = defineSchema(
  { talk, person },
  {
    viewers: ['person'],
    collections: {
      talks: collection('talk', { by: 'start_time', order: 'chronological' }),
      secret_talks: collection('talk', { policy: [hasScope('secrets')] }),
      staff: collection('person', { scope: 'staff' }),
    },
  },
)

const toTalk = (id: string, title: string, day: string) => ({
  op: 'putNode' as const,
  node: { id, type: 'talk' as const, fields: { title, start_time: `${day}T09:00:00Z`, speaker: '1' } },
})
const toEdge = (target: string, score: number) => ({
  op: 'putEdge' as const,
  edge: { source: '1', name: 'talks' as const, target, time: '2026-01-01', data: { score } },
})
const MUTATIONS = [
  { op: 'putNode' as const, node: { id: '1', type: 'person' as const, fields: { name: 'Ada' } } },
  toTalk('11', 'Engines', '2026-03-02'),
  toTalk('12', 'Notes', '2026-03-01'),
  toTalk('13', 'Looms', '2026-03-03'),
  toEdge('11', 3),
  toEdge('12', 9),
  toEdge('13', 6),
]

const createWorld = async () => {
  const graph = createGraph(createMemoryStore(), { schema })
  await graph.write(MUTATIONS)
  return { graph, token: await graph.tokens.issue({ viewer: '1', app: 'test' }) }
}

describeInBrowser('the options of a table in the Explorer', open => {
  it('are the parameters of the edge, with an input for each type', async () => {
    const { page } = await open({ world: await createWorld(), urlSuffix: '#path=1%2Ftalks&view=table' })
    const { option, names } = locateTable(page)
    await expect.poll(() => names.allTextContents()).toEqual(['Looms', 'Notes', 'Engines'])
    const values = {
      min_score: '4',
      share: '0.5',
      title: 'a & b',
      day: '2026-01-02T03:04',
      speaker: '1',
    }
    for (const [name, value] of Object.entries(values)) {
      await option(name).fill(value)
      await option(name).press('Enter')
    }
    await option('is_good').selectOption('true')
    await expect.poll(() => names.allTextContents()).toEqual(['Looms', 'Notes'])
    const readOptions = (): object => {
      const path = new URLSearchParams(new URL(page.url()).hash.slice(1)).get('path') ?? ''
      return Object.fromEntries(new URLSearchParams(path.split('?')[1]))
    }
    await expect.poll(readOptions).toEqual({ ...values, is_good: 'true' })
    await page.reload()
    await expect.poll(() => names.allTextContents()).toEqual(['Looms', 'Notes'])
    for (const [name, value] of Object.entries(values)) expect(await option(name).inputValue()).toBe(value)
    await option('min_score').fill('7')
    await option('min_score').press('Enter')
    await expect.poll(() => names.allTextContents()).toEqual(['Notes'])
  })

  it('are the declared orders, and times only in an order by time', async () => {
    const { page } = await open({ world: await createWorld(), urlSuffix: '#path=1%2Ftalks&view=table' })
    const { option, names, link, heading, edges } = locateTable(page)
    await option('since (UTC)').waitFor()
    await option('Order').selectOption('best')
    await expect.poll(() => names.allTextContents()).toEqual(['Notes', 'Looms', 'Engines'])
    expect(await option('since (UTC)').count()).toBe(0)
    await option('Order').selectOption('worst')
    await expect.poll(() => names.allTextContents()).toEqual(['Engines', 'Looms', 'Notes'])
    await link('Collections').click()
    await link('talks').click()
    await expect.poll(() => names.allTextContents()).toEqual(['Notes', 'Engines', 'Looms'])
    await option('since (UTC)').fill('2026-03-02T00:00')
    await expect.poll(() => names.allTextContents()).toEqual(['Engines', 'Looms'])
    await link('me').click()
    await heading.getByText('Ada').waitFor()
    await edges.getByRole('link', { name: 'found' }).click()
    await expect.poll(() => names.allTextContents()).toEqual(['Engines'])
    expect(await option('Order').locator('option').count()).toBe(1)
  })

  it('show the error of a wrong value in the place of the rows', async () => {
    const urlSuffix = '#path=1%2Ftalks%3Fmin_score%3Dmany&view=table'
    const { page } = await open({ world: await createWorld(), urlSuffix })
    const { error, option, names } = locateTable(page)
    await error.getByText('min_score').first().waitFor()
    await option('min_score').fill('8')
    await option('min_score').press('Enter')
    await expect.poll(() => names.allTextContents()).toEqual(['Notes'])
    await error.waitFor({ state: 'detached' })
  })
})

describeInBrowser('the collections of the Explorer', open => {
  it('show the error of each collection that a token may not count', async () => {
    const { page } = await open({ world: await createWorld() })
    const { collections, link, error } = locateTable(page)
    await collections.getByText('staff').last().waitFor()
    await expect.poll(() => collections.getByRole('listitem').first().textContent()).toBe('talks 3 → talk')
    await collections.getByText('(#200)').waitFor()
    await link('staff').click()
    await error.getByText('scope_missing').waitFor()
    await link('Collections').click()
    await link('secret_talks').click()
    await page.getByText('This page has no nodes.').waitFor()
  })

  it('show that a collection is not complete, because nodes are older than the collection', async () => {
    const store = createMemoryStore()
    await createGraph(store, { schema: plainSchema }).write(MUTATIONS)
    const graph = createGraph(store, { schema })
    const token = await graph.tokens.issue({ viewer: '1', app: 'test' })
    const { page } = await open({ world: { graph, token } })
    const { link, error } = locateTable(page)
    await link('talks').click()
    await error.getByText('store_error').waitFor()
  })
})

describeInBrowser('a schema without collections in the Explorer', open => {
  it('opens on the query of the viewer, whose edges can be shown as tables', async () => {
    const graph = createGraph(createMemoryStore(), { schema: plainSchema })
    await graph.write(MUTATIONS)
    const token = await graph.tokens.issue({ viewer: '1', app: 'test' })
    const { page, url } = await open({ world: { graph, token }, initialFields: 'name,talks{title}' })
    const { result } = locateParts(page)
    const { mode, table, link, names, edges } = locateTable(page)
    await result.getByText('"Looms"').waitFor()
    expect(page.url()).toBe(`${url}#path=me&version=v1.0&fields=name%2Ctalks%7Btitle%7D`)
    await mode('Table')
    await table.getByRole('link', { name: 'Looms' }).waitFor()
    expect(await link('Collections').count()).toBe(0)
    await edges.getByRole('link', { name: 'talks' }).click()
    await expect.poll(() => names.allTextContents()).toEqual(['Looms', 'Notes', 'Engines'])
  })
})
