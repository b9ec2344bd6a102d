import { describe, expectTypeOf, it } from 'vitest'
import type { Graph } from '../../src/graph-interface.ts'
import { edge } from '../../src/schema/edge.ts'
import { field } from '../../src/schema/field-builders.ts'
import type { Page } from '../../src/schema/inference/answer.ts'
import { node } from '../../src/schema/node.ts'
import type { Policy } from '../../src/schema/policy.ts'
import { socialSchema } from '../../src/schema/social/social-schema.ts'

const graphOf = <TGraph>() => ({}) as TGraph
const token = 'token'

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

  it('has no type by a misspelt name: a new one is made by node', () => {
    const policy: Policy = []
    // @ts-expect-error -- no node
    expectTypeOf(() => socialSchema.extend({ pohto: { policy } })).not.toBeAny()
    // @ts-expect-error -- no node, beside changes that are right
    expectTypeOf(() => schema.extend({ photo: { policy }, shops: { policy } })).not.toBeAny()
    expectTypeOf(() => schema.extend({ shop: { policy }, mall: node({ policy }) })).not.toBeAny()
    expectTypeOf(() => schema.extend({ mall: { ...schema.types.shop, policy } })).not.toBeAny()
  })

  it('may be made of changes at run time', () => {
    const changes: { readonly [type: string]: { readonly policy: Policy } } = {}
    expectTypeOf(() => socialSchema.extend(changes)).not.toBeAny()
  })

  it('keeps its viewers', () => {
    expectTypeOf(graph.getMe(token, { fields: 'photos{camera}' })).resolves.toEqualTypeOf<{
      id: string
      photos: Page<{ id: string; camera: string }>
    }>()
  })
})
