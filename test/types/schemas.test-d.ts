import { describe, expectTypeOf, it } from 'vitest'
import type { Graph } from '../../src/graph-interface.ts'
import { defineSchema } from '../../src/schema/define-schema.ts'
import { edge } from '../../src/schema/edge.ts'
import { field } from '../../src/schema/field-builders.ts'
import type { LooseNode, Page } from '../../src/schema/inference/answer.ts'
import { node } from '../../src/schema/node.ts'
import { socialSchema } from '../../src/schema/social/social-schema.ts'

const graphOf = <TGraph>() => ({}) as TGraph
const token = 'token'

describe('a required field', () => {
  const schema = defineSchema(
    {
      thing: node({
        fields: {
          sure: field.string({ required: true }),
          scoped: field.string({ required: true, scope: 'secret' }),
          young: field.string({ required: true, since: 'v2.0' }),
          old: field.string({ required: true, removedIn: 'v2.0' }),
          perhaps: field.string({ required: true, scope: {} as string | undefined }),
        },
      }),
    },
    { versions: ['v1.0', 'v2.0'] },
  )

  it('is sure unless a scope or a version may leave it out', () => {
    const fields = 'sure,scoped,young,old,perhaps'
    expectTypeOf(
      graphOf<Graph<typeof schema>>().getNode(token, { id: '1', type: 'thing', fields }),
    ).resolves.toEqualTypeOf<{
      id: string
      sure: string
      scoped?: string
      young?: string
      old?: string
      perhaps?: string
    }>()
  })
})

describe('an edge', () => {
  const schema = defineSchema({
    a: node({
      edges: {
        few: edge('b', { defaults: ['when', 'x'], fields: { when: field.edgeTime(), note: field.string() } }),
      },
    }),
    b: node({ fields: { x: field.int(), y: field.int({ default: true }) } }),
  })

  it('names its own fields among its defaults', () => {
    expectTypeOf(
      graphOf<Graph<typeof schema>>().getEdge(token, { id: '1', type: 'a', edge: 'few' }),
    ).resolves.toEqualTypeOf<Page<{ id: string; when: string; x?: number }>>()
  })
})

describe('viewers', () => {
  const types = {
    a: node({ fields: { x: field.string({ required: true }), y: field.int() } }),
    b: node({ fields: { x: field.string({ required: true }) } }),
  }

  it('are all types where none are named', () => {
    const schema = defineSchema(types)
    expectTypeOf(graphOf<Graph<typeof schema>>().getMe(token, { fields: 'x,y' })).resolves.toEqualTypeOf<{
      id: string
      x: string
      y?: number
    }>()
  })

  it('are the types that are named', () => {
    const schema = defineSchema(types, { viewers: ['b'] })
    expectTypeOf(graphOf<Graph<typeof schema>>().getMe(token, { fields: 'x' })).resolves.toEqualTypeOf<{
      id: string
      x: string
    }>()
  })
})

describe('types that lead to each other by default', () => {
  const schema = defineSchema({
    hen: node({ fields: { egg: field.ref('egg', { default: true }) } }),
    egg: node({ fields: { hen: field.ref('hen', { default: true }) } }),
  })

  it('are followed as far as one looks', async () => {
    const hen = await graphOf<Graph<typeof schema>>().getNode(token, { id: '1', type: 'hen' })
    expectTypeOf(hen.egg?.hen?.egg?.id).toEqualTypeOf<string | undefined>()
  })
})

describe('an extended schema', () => {
  const schema = socialSchema.extend({
    photo: { fields: { camera: field.string({ required: true }), name: field.int() } },
    shop: node({
      fields: { name: field.string({ default: true, required: true }) },
      edges: { fans: edge('user') },
    }),
  })
  const graph = graphOf<Graph<typeof schema>>()

  it('has what was given again, and inherits the rest', () => {
    expectTypeOf(
      graph.getNode(token, { id: '1', type: 'photo', fields: 'camera,name,width' }),
    ).resolves.toEqualTypeOf<{
      id: string
      camera: string
      name?: number
      width?: number
    }>()
  })

  it('has what is new', () => {
    expectTypeOf(
      graph.getNode(token, { id: '1', type: 'shop', fields: 'name,fans{email}' }),
    ).resolves.toEqualTypeOf<{
      id: string
      name: string
      fans: Page<{ id: string; email?: string }>
    }>()
  })

  it('keeps its viewers', () => {
    expectTypeOf(graph.getMe(token, { fields: 'photos{camera}' })).resolves.toEqualTypeOf<{
      id: string
      photos: Page<{ id: string; camera: string }>
    }>()
  })
})

describe('types that are made at run time', () => {
  it('are loose', () => {
    const schema = defineSchema(Object.fromEntries([['a', node({ fields: { x: field.int() } })]]))
    expectTypeOf(
      graphOf<Graph<typeof schema>>().getNode(token, { id: '1', type: 'a', fields: 'x' }),
    ).resolves.toEqualTypeOf<LooseNode>()
  })
})
