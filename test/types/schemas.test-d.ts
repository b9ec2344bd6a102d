import { describe, expectTypeOf, it } from 'vitest'
import { anyOf } from '../../src/access/rules/composed-rules.ts'
import { viewerHasEdge } from '../../src/access/rules/edge-rules.ts'
import { hasScope, isViewer } from '../../src/access/rules/rules.ts'
import type { PublicId } from '../../src/base/ids.ts'
import type { Graph } from '../../src/graph-interface.ts'
import { collection } from '../../src/schema/collection.ts'
import { defineSchema } from '../../src/schema/define-schema.ts'
import { edge } from '../../src/schema/edge.ts'
import { field } from '../../src/schema/field-builders.ts'
import type { Page, UntypedNode } from '../../src/schema/inference/result.ts'
import { node } from '../../src/schema/node.ts'
import type { Policy, Rule } from '../../src/schema/policy.ts'
import type { Types } from '../../src/schema/schema.ts'
import { socialSchema } from '../../src/schema/social/social-schema.ts'

const graphOf = <TGraph>() => ({}) as TGraph
const token = 'token'

describe('the type of a required field', () => {
  const schema = defineSchema(
    {
      thing: node({
        fields: {
          sure: field.string({ required: true }),
          scoped: field.string({ required: true, scope: 'secret' }),
          young: field.string({ required: true, since: 'v2.0' }),
          old: field.string({ required: true, removedIn: 'v2.0' }),
          perhaps: field.string({ required: true, scope: {} as string | undefined }),
          with_policy: field.string({ required: true, policy: [hasScope('secret')] }),
          maybe_with_policy: field.string({ required: true, policy: {} as Policy | undefined }),
          open: field.string({ required: true, policy: undefined }),
        },
      }),
    },
    { versions: ['v1.0', 'v2.0'] },
  )

  it('is optional only if a scope, a policy or a version may omit it', () => {
    const fields = 'sure,scoped,young,old,perhaps,with_policy,maybe_with_policy,open'
    expectTypeOf(
      graphOf<Graph<typeof schema>>().getNode(token, { id: '1', type: 'thing', fields }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      sure: string
      scoped?: string
      young?: string
      old?: string
      perhaps?: string
      with_policy?: string
      maybe_with_policy?: string
      open: string
    }>()
  })
})

describe('a policy', () => {
  const isOpen: Rule = { name: 'isOpen', decide: () => 'allow' }
  const types = {
    user: node({
      policy: [isViewer(), viewerHasEdge('friends'), isOpen],
      fields: { name: field.string({ default: true, required: true }), nick: field.string() },
      edges: {
        friends: edge('user', {
          symmetric: true,
          policy: [
            isViewer(),
            {
              name: 'isPublic',
              checks: ({ id }, { viewer = '1' }) => [{ source: viewer, name: 'likes', target: id }],
              decide: (record, { scopes }, [likes]) =>
                likes === true && record.fields.hidden !== true && scopes.length > 0 ? 'allow' : 'skip',
            },
          ],
        }),
        likes: edge('user', { policy: [] }),
      },
    }),
    photo: node({
      policy: [isViewer({ of: 'from' })],
      fields: {
        from: field.ref('user', {
          required: true,
          policy: [
            { name: 'isDated', decide: ({ fields }) => (fields.taken === 0 ? 'deny' : 'skip') },
            isOpen,
          ],
        }),
        title: field.string({ required: true }),
        viewer_likes: field.viewerEdge('likes'),
        viewer_hides: field.viewerEdge('likes', {
          policy: [anyOf({ name: 'isAnn', decide: ({ id }) => (id === '4' ? 'allow' : 'skip') }, isViewer())],
        }),
      },
      edges: { likes: edge('user') },
    }),
  }
  const graph = graphOf<Graph<ReturnType<typeof defineSchema<typeof types>>>>()

  it('of a type or an edge does not change the type of a result, since a hidden list is an empty page', () => {
    expectTypeOf(
      graph.getNode(token, { id: '1', type: 'user', fields: 'name,nick,friends,likes{nick}' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      name: string
      nick?: string
      friends: Page<{ id: PublicId; name: string }>
      likes: Page<{ id: PublicId; nick?: string }>
    }>()
  })

  it('of a field makes the field optional in the type of a result, even a viewerEdge', () => {
    expectTypeOf(
      graph.getNode(token, { id: '1', type: 'photo', fields: 'title,from,viewer_likes,viewer_hides' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      title: string
      from?: { id: PublicId; name: string }
      viewer_likes: boolean
      viewer_hides?: boolean
    }>()
  })

  it('does not change the fields that the type of a write requires', () => {
    const write: Parameters<typeof graph.write>[0] = [
      { op: 'putNode', node: { id: '1', type: 'photo', fields: { title: 'A', from: '4' } } },
    ]
    expectTypeOf(write).not.toBeAny()
  })

  it('that an extension adds to a type does not change the type of a result', () => {
    const schema = socialSchema.extend({
      photo: { policy: [viewerHasEdge('friends', { of: 'from' })] },
      page: { policy: [{ name: 'isOpen', decide: ({ fields }) => (fields.name === '' ? 'deny' : 'allow') }] },
      user: { fields: { about: field.string({ required: true, policy: [isViewer()] }) } },
    })
    expectTypeOf(
      graphOf<Graph<typeof schema>>().getNode(token, {
        id: '1',
        type: 'photo',
        fields: 'viewer_likes,likes{name,about}',
      }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      viewer_likes: boolean
      likes: Page<{ id: PublicId; name: string; about?: string }>
    }>()
  })
})

describe('the type of an edge with fields of its own', () => {
  const schema = defineSchema({
    a: node({
      edges: {
        few: edge('b', { defaults: ['when', 'x'], fields: { when: field.edgeTime(), note: field.string() } }),
      },
    }),
    b: node({ fields: { x: field.int(), y: field.int({ default: true }) } }),
  })

  it('includes them if they are among its defaults', () => {
    expectTypeOf(
      graphOf<Graph<typeof schema>>().getEdge(token, { id: '1', type: 'a', edge: 'few' }),
    ).resolves.toEqualTypeOf<Page<{ id: PublicId; when: string; x?: number }>>()
  })
})

describe('the viewer types', () => {
  const types = {
    a: node({ fields: { x: field.string({ required: true }), y: field.int() } }),
    b: node({ fields: { x: field.string({ required: true }) } }),
  }

  it('are all types without the option viewers', () => {
    const schema = defineSchema(types)
    expectTypeOf(graphOf<Graph<typeof schema>>().getMe(token, { fields: 'x,y' })).resolves.toEqualTypeOf<{
      id: PublicId
      x: string
      y?: number
    }>()
  })

  it('are the types in the option viewers', () => {
    const schema = defineSchema(types, { viewers: ['b'] })
    expectTypeOf(graphOf<Graph<typeof schema>>().getMe(token, { fields: 'x' })).resolves.toEqualTypeOf<{
      id: PublicId
      x: string
    }>()
  })
})

describe('types whose default fields refer to each other', () => {
  const schema = defineSchema({
    hen: node({ fields: { egg: field.ref('egg', { default: true }) } }),
    egg: node({ fields: { hen: field.ref('hen', { default: true }) } }),
  })

  it('are resolved through several levels', async () => {
    const hen = await graphOf<Graph<typeof schema>>().getNode(token, { id: '1', type: 'hen' })
    expectTypeOf(hen.egg?.hen?.egg?.id).toEqualTypeOf<PublicId | undefined>()
  })
})

describe('types that are built at run time', () => {
  it('have untyped results', () => {
    const schema = defineSchema(Object.fromEntries([['a', node({ fields: { x: field.int() } })]]))
    expectTypeOf(
      graphOf<Graph<typeof schema>>().getNode(token, { id: '1', type: 'a', fields: 'x' }),
    ).resolves.toEqualTypeOf<UntypedNode>()
  })
})

describe('the weight of a field', () => {
  const resolve = () => []
  const schema = defineSchema({
    thing: node({
      fields: {
        tags: field.list(field.string(), { weight: 2, required: true }),
        counts: field.map(field.int(), { weight: undefined }),
        score: field.int({ weight: 3, resolve }),
        computed_tags: field.list(field.string(), { weight: 3, resolve }),
        facts: field.object({ a: field.list(field.int(), { weight: 2 }) }),
      },
    }),
  })

  it('does not change the type of a result', () => {
    const fields = 'tags,counts,score,computed_tags,facts'
    expectTypeOf(
      graphOf<Graph<typeof schema>>().getNode(token, { id: '1', type: 'thing', fields }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      tags: string[]
      counts?: { [key: string]: number }
      score?: number
      computed_tags?: string[]
      facts?: { a?: number[] }
    }>()
  })
})

describe('a target whose name the compiler does not know', () => {
  it('is accepted by defineSchema and extend, which check it at run time', () => {
    const declare = (types: Types, name: string) => [
      defineSchema(types),
      defineSchema({ a: node({ fields: { b: field.ref(name) }, edges: { as: edge(name) } }) }),
      socialSchema.extend(
        { user: { edges: { as: edge(name) } } },
        { collections: { all: collection(name) } },
      ),
    ]
    expectTypeOf(declare).returns.items.toHaveProperty('types')
  })
})
