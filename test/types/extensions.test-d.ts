import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'
import type { Graph } from '../../src/graph-interface.ts'
import { edge } from '../../src/schema/edge.ts'
import { field } from '../../src/schema/field-builders.ts'
import type { Page } from '../../src/schema/inference/result.ts'
import { node } from '../../src/schema/node.ts'
import type { Policy } from '../../src/schema/policy.ts'
import { socialSchema } from '../../src/schema/social/social-schema.ts'

const graphOf = <TGraph>() => ({}) as TGraph
const token = 'token'

describe('the type of an extended schema', () => {
  const schema = socialSchema.extend({
    photo: { fields: { camera: field.string({ required: true }), name: field.int() } },
    shop: node({
      fields: { name: field.string({ default: true, required: true }) },
      edges: { fans: edge('user') },
    }),
  })
  const graph = graphOf<Graph<typeof schema>>()

  it('has the replaced fields, and inherits the others', () => {
    expectTypeOf(
      graph.getNode(token, { id: '1', type: 'photo', fields: 'camera,name,width' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      camera: string
      name?: number
      width?: number
    }>()
  })

  it('has the new types', () => {
    expectTypeOf(
      graph.getNode(token, { id: '1', type: 'shop', fields: 'name,fans{email}' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      name: string
      fans: Page<{ id: PublicId; email?: string }>
    }>()
  })

  it('rejects an extension of an unknown type unless node() creates it', () => {
    const policy: Policy = []
    // @ts-expect-error -- not a node
    expectTypeOf(() => socialSchema.extend({ pohto: { policy } })).not.toBeAny()
    // @ts-expect-error -- not a node, next to valid changes
    expectTypeOf(() => schema.extend({ photo: { policy }, shops: { policy } })).not.toBeAny()
    expectTypeOf(() => schema.extend({ shop: { policy }, mall: node({ policy }) })).not.toBeAny()
    expectTypeOf(() => schema.extend({ mall: { ...schema.types.shop, policy } })).not.toBeAny()
  })

  it('accepts null as the policy of an extended type only, and keeps its fields', () => {
    const open = schema.extend({ shop: { policy: null } })
    expectTypeOf(open.types.shop.fields).toEqualTypeOf(schema.types.shop.fields)
    // @ts-expect-error -- a new type has no policy to remove
    expectTypeOf(() => schema.extend({ mall: { policy: null } })).not.toBeAny()
    // @ts-expect-error -- the same for node()
    expectTypeOf(() => node({ policy: null })).not.toBeAny()
  })

  it('accepts changes that are built at run time', () => {
    const changes: { readonly [type: string]: { readonly policy: Policy } } = {}
    expectTypeOf(() => socialSchema.extend(changes)).not.toBeAny()
  })

  it('keeps the viewer types', () => {
    expectTypeOf(graph.getMe(token, { fields: 'photos{camera}' })).resolves.toEqualTypeOf<{
      id: PublicId
      photos: Page<{ id: PublicId; camera: string }>
    }>()
  })
})
