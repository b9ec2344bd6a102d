import { createGraph, defineSchema, edge, field, node, type PublicId, parameter, type RawId } from 'kithgraph'
import { ActionError, actionsOf, type FailureOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expectTypeOf, it } from 'vitest'

const schema = defineSchema(
  {
    user: node({
      fields: {
        name: field.string({ required: true }),
        born: field.datetime(),
        best: field.ref('user'),
        seen: field.list(field.datetime()),
        shout: field.string({ resolve: records => records.map(() => '!') }),
      },
      edges: { posts: edge('post') },
    }),
    post: node({ fields: { message: field.string({ default: true, required: true }) } }),
  },
  { viewers: ['user'] },
)
const action = actionsOf(schema)
const actions = [
  action('user', 'posts.add', {
    policy: 'anyone',
    returns: 'post',
    parameters: {
      message: parameter.string({ required: true }),
      note: parameter.string({ nullable: true }),
      at: parameter.datetime(),
      author: parameter.node('user'),
      nodes: parameter.list(parameter.node(['user', 'post'])),
      size: parameter.object({
        width: parameter.int({ required: true }),
        unit: parameter.enum(['cm', 'in']),
      }),
    },
    run: ({ source, parameters, newId }) => {
      expectTypeOf(source.type).toEqualTypeOf<'user'>()
      expectTypeOf(source.fields.born).toEqualTypeOf<number | undefined>()
      expectTypeOf(source.fields.seen).toEqualTypeOf<readonly number[] | undefined>()
      expectTypeOf(source.fields.best).toEqualTypeOf<RawId | undefined>()
      expectTypeOf<keyof typeof source.fields>().toEqualTypeOf<'name' | 'born' | 'best' | 'seen'>()
      expectTypeOf(parameters.message).toEqualTypeOf<string>()
      expectTypeOf(parameters.note).toEqualTypeOf<string | null | undefined>()
      expectTypeOf(parameters.at).toEqualTypeOf<number | undefined>()
      expectTypeOf(parameters.author?.type).toEqualTypeOf<'user' | undefined>()
      expectTypeOf(parameters.nodes?.[0]?.type).toEqualTypeOf<'user' | 'post' | undefined>()
      expectTypeOf(parameters.size?.width).toEqualTypeOf<number | undefined>()
      expectTypeOf(parameters.size?.unit).toEqualTypeOf<'cm' | 'in' | undefined>()
      return { id: newId('post') }
    },
  }),
  action('user', 'update', { policy: 'anyone', run: () => undefined }),
  action('user', 'join', {
    policy: 'anyone',
    failures: ['already_member', 'full'],
    run: ({ fail }) => {
      expectTypeOf(fail).parameter(0).toEqualTypeOf<'already_member' | 'full'>()
      return fail('full', { status: 409 })
    },
  }),
  action('post', 'update', { policy: 'anyone', run: () => undefined }),
  action('post', 'sign', {
    policy: 'anyone',
    result: {
      url: field.url({ required: true }),
      count: field.int(),
      signer: field.ref('user', { required: true }),
      nodes: field.ref(['user', 'post']),
    },
    run: () => ({ result: { url: '/a', signer: '4' } }),
  }),
]
const graph = createGraph(createMemoryStore(), { schema, actions })
const call = () => graph.callAction('t', { id: 'me', action: 'posts.add', parameters: { message: 'a' } })
const read = () =>
  graph.callAction('t', {
    type: 'user',
    id: '4',
    action: 'posts.add',
    parameters: { message: 'a', nodes: ['4'], size: { width: 3 } },
    fields: 'message',
  })
const sign = () => graph.callAction('t', { type: 'post', id: '4', action: 'sign' })
const update = () => graph.callAction('t', { id: 'me', action: 'update' })

describe('the result of callAction', () => {
  it('is the id of the node, the node, the fields of the result with refs as public ids, or success', () => {
    expectTypeOf<Awaited<ReturnType<typeof call>>['id']>().toExtend<string>()
    expectTypeOf<Awaited<ReturnType<typeof read>>['message']>().toEqualTypeOf<string>()
    expectTypeOf<Awaited<ReturnType<typeof sign>>['url']>().toEqualTypeOf<string>()
    expectTypeOf<Awaited<ReturnType<typeof sign>>['count']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Awaited<ReturnType<typeof sign>>['signer']>().toEqualTypeOf<PublicId>()
    expectTypeOf<Awaited<ReturnType<typeof sign>>['nodes']>().toEqualTypeOf<PublicId | undefined>()
    expectTypeOf<Awaited<ReturnType<typeof update>>['success']>().toEqualTypeOf<true>()
    expectTypeOf<Awaited<ReturnType<typeof update>>['revision']>().toEqualTypeOf<string | undefined>()
  })
})

describe('the method callAction', () => {
  it('exists only on a graph with actions', () => {
    const plain = createGraph(createMemoryStore(), { schema })
    expectTypeOf(plain).not.toHaveProperty('callAction')
    expectTypeOf(graph).toHaveProperty('callAction')
  })
})

describe('the failures of an action', () => {
  it('are the declared ones and those of the library, or any word', () => {
    expectTypeOf<FailureOf<typeof actions, 'user', 'join'>>().toEqualTypeOf<
      'already_member' | 'full' | 'conflict' | 'invalid_mutation' | 'key_reused'
    >()
    expectTypeOf<FailureOf<typeof actions, 'user', 'update'>>().toEqualTypeOf<string>()
  })

  it('are those of an action that exists', () => {
    // @ts-expect-error the name of the action is misspelt
    expectTypeOf<FailureOf<typeof actions, 'user', 'joim'>>().not.toBeAny()
  })

  it('cannot be thrown by fail if the action does not declare them', () => {
    action('user', 'leave', {
      policy: 'anyone',
      failures: ['no_member'],
      // @ts-expect-error the failure is misspelt
      run: ({ fail }) => fail('no_membr'),
    })
    // @ts-expect-error the action declares no failures
    action('user', 'leave', { policy: 'anyone', run: ({ fail }) => fail('no_member') })
  })
})

describe('the data of an ActionError', () => {
  it('rejects a raw id', () => {
    const id: RawId = '4'
    // @ts-expect-error graph.ids.toPublic converts it
    expectTypeOf(() => new ActionError('full', { message: 'm', data: { id } })).toBeFunction()
    expectTypeOf(() => new ActionError('full', { message: 'm', data: { id: 'text' } })).toBeFunction()
  })
})
