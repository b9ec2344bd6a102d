import { createGraph } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { ADA, createWorldStore, NOBODY, SCOPES } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from './expect-graph-error.ts'

/** The order in which all reads check for errors: first in the token, then in the text, then in the data. */
const ORDER = ['token', 'proof', 'text', 'node', 'names', 'scopes', 'cost'] as const

type Stage = (typeof ORDER)[number]

const REASONS: { readonly [stage in Stage]: string } = {
  token: 'token_invalid',
  proof: 'proof_invalid',
  text: 'invalid_syntax',
  node: 'node_not_found',
  names: 'field_not_found',
  scopes: 'scope_missing',
  cost: 'query_too_expensive',
}

/** All pairs of stages, in the order of the stages. */
const PAIRS = ORDER.flatMap((first, index) => ORDER.slice(index + 1).map(second => [first, second] as const))

const graph = createGraph(await createWorldStore(), { appSecrets: { demo: 'the secret of demo' } })
const scopedToken = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
const unscopedToken = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })

const EXPENSIVE = 'comments.limit(100){comments.limit(100){comments.limit(100)}}'

/** Creates fields of Ada with an error in each of the given stages. */
const createFields = (errors: ReadonlySet<Stage>): string =>
  [
    'id',
    ...(errors.has('cost') ? [`photos.as(expensive){${EXPENSIVE}}`] : []),
    ...(errors.has('scopes') ? ['photos.limit(1).as(scoped)'] : []),
    ...(errors.has('names') ? ['nmae'] : []),
    ...(errors.has('text') ? ['a,,b'] : []),
  ].join(',')

const createCall = (errors: ReadonlySet<Stage>, id: string) => ({
  token: errors.has('token') ? 'no such token' : errors.has('scopes') ? unscopedToken : scopedToken,
  call: {
    id: errors.has('node') ? NOBODY : id,
    fields: createFields(errors),
    ...(errors.has('proof') && { proof: 'wrong' }),
  },
})

const READS: readonly [string, (errors: ReadonlySet<Stage>) => Promise<unknown>][] = [
  [
    'getNode',
    errors => {
      const { token, call } = createCall(errors, ADA)
      return callUntyped(graph.getNode, token, call)
    },
  ],
  [
    'getNodes',
    errors => {
      const { token, call } = createCall(errors, ADA)
      const { id, ...others } = call
      return callUntyped(graph.getNodes, token, { ...others, ids: [ADA, id] })
    },
  ],
  [
    'getEdge',
    errors => {
      const { token, call } = createCall(errors, ADA)
      return callUntyped(graph.getEdge, token, {
        ...call,
        edge: errors.has('scopes') ? 'friends' : 'likes',
        fields: createEntryFields(errors),
      })
    },
  ],
]

/**
 * Creates fields with an error in each of the given stages, for an edge to pages. A page has photos and
 * likes, and needs no scope.
 */
const createEntryFields = (errors: ReadonlySet<Stage>): string =>
  [
    'id',
    ...(errors.has('cost') ? [`photos{${EXPENSIVE}}`] : []),
    ...(errors.has('names') ? ['nmae'] : []),
    ...(errors.has('text') ? ['a,,b'] : []),
  ].join(',')

describe.each(READS)('the error of %s', (_, read) => {
  it.each(ORDER)('is that of the validation stage "%s" if no other stage fails', async stage => {
    const error = await expectGraphError(read(new Set([stage])))
    expect(error.reason).toBe(REASONS[stage])
  })

  it.each(PAIRS)(
    'is that of the validation stage "%s" even if the stage "%s" fails too',
    async (first, second) => {
      const error = await expectGraphError(read(new Set([first, second])))
      expect(error.reason).toBe(REASONS[first])
    },
  )

  it('is that of the first validation stage that fails', async () => {
    for (const [index, stage] of ORDER.entries()) {
      const error = await expectGraphError(read(new Set(ORDER.slice(index))))
      expect(error.reason).toBe(REASONS[stage])
    }
  })
})

describe('a call with several errors', () => {
  const readAda = (call: object): Promise<unknown> =>
    callUntyped(graph.getNode, scopedToken, { id: ADA, ...call })

  it('reports an invalid option before an invalid expression', async () => {
    expect((await expectGraphError(readAda({ id: 'Ada', fields: 'a,,b' }))).data).toMatchObject({
      parameter: 'id',
    })
    expect((await expectGraphError(readAda({ version: '1', fields: 'a,,b' }))).data).toMatchObject({
      parameter: 'version',
    })
  })

  it('reports the first unknown field or parameter of its expression', async () => {
    expect((await expectGraphError(readAda({ fields: 'shoe,nmae' }))).data).toMatchObject({
      name: 'shoe',
    })
    expect((await expectGraphError(readAda({ fields: 'photos{shoe},nmae' }))).data).toMatchObject({
      name: 'shoe',
    })
    expect(
      (await expectGraphError(readAda({ fields: 'name.size(1),shoe' }))).toJSON().error.error_data,
    ).toMatchObject({
      reason: 'invalid_parameter',
    })
  })

  it('reports the first missing scope of its expression', async () => {
    const fields = 'friends,photos'
    expect(
      (await expectGraphError(callUntyped(graph.getNode, unscopedToken, { id: ADA, fields }))).data,
    ).toMatchObject({
      scope: 'user_friends',
    })
  })

  it('reports an invalid cursor of its expression after all other errors', async () => {
    expect((await expectGraphError(readAda({ fields: 'photos.after(x),nmae' }))).reason).toBe(
      'field_not_found',
    )
    expect((await expectGraphError(readAda({ fields: `photos.after(x){${EXPENSIVE}}` }))).reason).toBe(
      'query_too_expensive',
    )
    expect((await expectGraphError(readAda({ fields: 'photos.after(x)' }))).data).toMatchObject({
      parameter: 'after',
    })
  })

  it('throws a usage error even if it would also cause a GraphError', async () => {
    await expect(callUntyped(graph.getNode, '', { id: 'Ada', feilds: 'x' })).rejects.toThrow(TypeError)
    await expect(callUntyped(graph.getNode, '', { id: 'Ada', fields: 1 })).rejects.toThrow(TypeError)
    await expect(
      callUntyped(graph.getEdge, '', { id: 'Ada', edge: 'friends', type: 'shop' }),
    ).rejects.toThrow(TypeError)
  })
})
