import { createMemoryStore } from 'kithgraph/memory'
import { beforeAll, describe, expect, it } from 'vitest'
import { ACTION_SCOPES, demoActions } from '../../examples/demo/actions.ts'
import { createDemo, type Demo } from '../../examples/demo/graph.ts'
import { findId } from '../../examples/demo/novel.ts'

/** A post of Marius, with comments of others. */
const POST = '4005'
/** A post of Gavroche on a page, without comments. */
const OTHER_POST = '4004'

describe('the actions of the demo', () => {
  let demo: Demo
  beforeAll(async () => {
    demo = await createDemo(createMemoryStore(), { runsActions: true })
  })
  const readNewest = async (): Promise<string | undefined> => {
    const { data } = await demo.graph.getEdge(demo.token, { id: 'root', edge: 'posts', fields: 'message' })
    return data[0]?.message
  }

  it('each need a scope, which the tokens have only with --actions', async () => {
    const scopes = demoActions.map(({ scope }) => scope)
    expect(new Set(scopes)).toEqual(new Set(ACTION_SCOPES))
    const { graph, token } = await createDemo(createMemoryStore())
    const { scopes: granted = [] } = await graph.tokens.inspect(token)
    expect(granted.filter(scope => ACTION_SCOPES.includes(scope))).toEqual([])
    await expect(
      graph.callAction(token, { type: 'post', id: POST, action: 'likes.add' }),
    ).rejects.toMatchObject({ reason: 'scope_missing' })
  })

  it('publish a post, which is then the newest, and edit and delete it', async () => {
    const { graph, token } = demo
    const parameters = { message: 'To the barricade', page: '3001' }
    const { id } = await graph.callAction(token, { type: 'user', id: 'me', action: 'feed.add', parameters })
    expect(await readNewest()).toBe('To the barricade')
    const page = await graph.getEdge(token, { id: '3001', type: 'page', edge: 'feed', fields: 'from' })
    expect(page.data[0]).toMatchObject({ id, from: { name: 'Marius' } })
    const call = { type: 'post', id } as const
    await graph.callAction(token, { ...call, action: 'update', parameters: { message: 'Late' } })
    expect(await readNewest()).toBe('Late')
    await graph.callAction(token, { ...call, action: 'delete' })
    expect(await readNewest()).toBe('I am going after all.')
  })

  it('like a post and take the like back', async () => {
    const { graph, token } = demo
    const call = { type: 'post', id: OTHER_POST } as const
    const likes = async (): Promise<boolean | undefined> =>
      (await graph.getNode(token, { ...call, fields: 'viewer_likes' })).viewer_likes
    await graph.callAction(token, { ...call, action: 'likes.add' })
    expect(await likes()).toBe(true)
    await graph.callAction(token, { ...call, action: 'likes.remove' })
    expect(await likes()).toBe(false)
  })

  it('edit the profile, and keep what is not sent', async () => {
    const call = { id: 'me', action: 'update', fields: 'name,about,timezone' } as const
    const update = (parameters: { readonly about?: string | null; readonly timezone?: number }) =>
      demo.graph.callAction(demo.token, { ...call, parameters })
    expect(await update({ about: 'A lawyer.', timezone: 1 })).toMatchObject({ about: 'A lawyer.' })
    const edited = await update({ about: null })
    expect([edited.name, edited.about, edited.timezone]).toEqual(['Marius', undefined, 1])
  })

  it('do not change what belongs to others', async () => {
    const { graph, token } = demo
    await expect(
      graph.callAction(token, { type: 'post', id: OTHER_POST, action: 'delete' }),
    ).rejects.toMatchObject({ reason: 'action_denied' })
    await expect(
      graph.callAction(token, { type: 'user', id: findId('Cosette'), action: 'update' }),
    ).rejects.toMatchObject({ reason: 'action_denied' })
    const remove = (id: string, target: string) =>
      graph.callAction(token, { type: 'post', id, action: 'comments.remove', parameters: { target } })
    // A comment of another person on a post of another person, and a comment on another post.
    await expect(remove('4003', '6001')).rejects.toMatchObject({ data: { failure: 'not_allowed' } })
    await expect(remove(POST, '6001')).rejects.toMatchObject({ data: { failure: 'not_allowed' } })
    expect(await remove(POST, '6003')).toMatchObject({ success: true })
  })

  it('that need a person reject a token of an app alone', async () => {
    const token = await demo.graph.tokens.issue({ viewer: undefined, app: 'demo', scopes: ACTION_SCOPES })
    await expect(
      demo.graph.callAction(token, { type: 'post', id: POST, action: 'likes.add' }),
    ).rejects.toMatchObject({ data: { failure: 'viewer_required' } })
  })
})
