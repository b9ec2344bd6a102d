import { createGraph, type JsonValue, type PublicId } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { back, defineTables, json, ref } from 'kithgraph/tables'
import { describe, expectTypeOf, it } from 'vitest'
import { studioDescription } from '../helpers/studio-description.ts'
import { studio } from '../helpers/table-declaration.ts'

const graph = createGraph(createMemoryStore(), { schema: studio.schema })
const session = graph.session({ viewer: 'account-1', app: 'demo' })

describe('a graph over tables', () => {
  it('has the types of columns: NOT NULL is always present, and enums are their labels', async () => {
    const account = await graph.getNode(session, {
      id: 'account-1',
      type: 'account',
      fields: 'name,email,mood,settings,tags,birthday,balance,created_time,secret',
    })
    expectTypeOf(account.name).toEqualTypeOf<string>()
    expectTypeOf(account.email).toEqualTypeOf<string | undefined>()
    expectTypeOf(account.mood).toEqualTypeOf<'calm' | 'busy'>()
    expectTypeOf(account.settings).toEqualTypeOf<JsonValue>()
    expectTypeOf(account.tags).toEqualTypeOf<string[]>()
    expectTypeOf(account.birthday).toEqualTypeOf<string | undefined>()
    expectTypeOf(account.balance).toEqualTypeOf<string | undefined>()
    expectTypeOf(account.created_time).toEqualTypeOf<string>()
    expectTypeOf(account.secret).toEqualTypeOf<string | undefined>()
  })

  it('has the types of refs, of lists and of the fields of join tables', async () => {
    const account = await graph.getNode(session, {
      id: 'account-1',
      type: 'account',
      fields: 'manager{name,org{name}},photos.state(draft).order(taken){width},following{name,muted,note}',
    })
    expectTypeOf(account.manager?.name).toEqualTypeOf<string | undefined>()
    expectTypeOf(account.manager?.org?.name).toEqualTypeOf<string | undefined>()
    expectTypeOf(account.photos.data).items.toEqualTypeOf<{ id: PublicId; width?: number }>()
    expectTypeOf(account.following.data).items.toEqualTypeOf<{
      id: PublicId
      name: string
      muted: boolean
      note?: string
    }>()
  })

  it('has a total_count for certain only if the rows are counted', async () => {
    type Summary = { order: string; total_count: number }
    type UncertainSummary = { order: string; total_count?: number }
    const account = { id: 'account-1', type: 'account', summary: true } as const
    const { summary: capped } = await graph.getEdge(session, { ...account, edge: 'following' })
    expectTypeOf(capped).toEqualTypeOf<UncertainSummary | undefined>()
    const { summary: kept } = await graph.getEdge(session, { ...account, edge: 'followers' })
    expectTypeOf(kept).toEqualTypeOf<UncertainSummary | undefined>()
    const { summary: counted } = await graph.getEdge(session, {
      id: 'org-1',
      type: 'org',
      edge: 'accounts',
      summary: true,
    })
    expectTypeOf(counted).toEqualTypeOf<Summary | undefined>()
  })

  it('has the types of collections, and of the viewers', async () => {
    const { data } = await graph.getEdge(session, {
      id: 'root',
      edge: 'photos',
      fields: 'caption,owner{name}',
    })
    expectTypeOf(data).items.toEqualTypeOf<{
      id: PublicId
      caption?: string
      owner?: { id: PublicId; name: string }
    }>()
    const me = await graph.getMe(session, { fields: 'mood' })
    expectTypeOf(me.mood).toEqualTypeOf<'calm' | 'busy'>()
  })

  it('has the declared type of JSON, and texts with as: text', async () => {
    const { schema } = defineTables(studioDescription, {
      account: {
        over: 'account',
        fields: { settings: { as: json<{ theme: string }>() }, mood: { as: 'text' } },
      },
    })
    const typed = createGraph(createMemoryStore(), { schema })
    const account = await typed.getNode('token', {
      id: 'account-1',
      type: 'account',
      fields: 'settings,mood',
    })
    expectTypeOf(account.settings).toEqualTypeOf<{ theme: string }>()
    expectTypeOf(account.mood).toEqualTypeOf<string>()
  })

  it('has fields in snake case for columns in camel case', async () => {
    const { schema } = defineTables(
      studioDescription,
      {
        account: {
          over: 'account',
          where: { deletedAt: null },
          fields: { createdAt: true, manager: ref('account', 'managerId') },
          edges: { reports: back('account', 'managerId', { by: 'createdAt' }) },
        },
      },
      { names: 'camel' },
    )
    const typed = createGraph(createMemoryStore(), { schema })
    const account = await typed.getNode('token', { id: 'account-1', type: 'account', fields: 'created_at' })
    expectTypeOf(account.created_at).toEqualTypeOf<string>()
  })
})
