import { createGraph } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { ADA, NOBODY, SCOPES, worldStore } from '../../helpers/world.ts'
import { faultOf, loosely } from './fault-of.ts'

/** The order of faults, the same everywhere: who, then what the text says, then what the data says. */
const ORDER = ['token', 'proof', 'text', 'node', 'names', 'scopes', 'cost'] as const

type Stage = (typeof ORDER)[number]

const REASONS: { readonly [stage in Stage]: string } = {
  token: 'token_unknown',
  proof: 'proof_invalid',
  text: 'syntax',
  node: 'node_missing',
  names: 'unknown_field',
  scopes: 'scope_missing',
  cost: 'too_costly',
}

/** Every two stages, the first one first. */
const PAIRS = ORDER.flatMap((first, index) => ORDER.slice(index + 1).map(second => [first, second] as const))

const graph = createGraph(await worldStore(), { appSecrets: { demo: 'the secret of demo' } })
const rich = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
const poor = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })

const EXPENSIVE = 'comments.limit(100){comments.limit(100){comments.limit(100)}}'

/** What a call asks when it is at fault in the given stages. */
const fieldsFor = (faults: ReadonlySet<Stage>): string =>
  [
    'id',
    ...(faults.has('cost') ? [`photos.as(dear){${EXPENSIVE}}`] : []),
    ...(faults.has('scopes') ? ['photos.limit(1).as(scoped)'] : []),
    ...(faults.has('names') ? ['nmae'] : []),
    ...(faults.has('text') ? ['a,,b'] : []),
  ].join(',')

const callFor = (faults: ReadonlySet<Stage>, id: string) => ({
  token: faults.has('token') ? 'no such token' : faults.has('scopes') ? poor : rich,
  call: {
    id: faults.has('node') ? NOBODY : id,
    fields: fieldsFor(faults),
    ...(faults.has('proof') && { proof: 'wrong' }),
  },
})

const READS: readonly [string, (faults: ReadonlySet<Stage>) => Promise<unknown>][] = [
  [
    'getNode',
    faults => {
      const { token, call } = callFor(faults, ADA)
      return loosely(graph.getNode, token, call)
    },
  ],
  [
    'getNodes',
    faults => {
      const { token, call } = callFor(faults, ADA)
      const { id, ...others } = call
      return loosely(graph.getNodes, token, { ...others, ids: [ADA, id] })
    },
  ],
  [
    'getEdge',
    faults => {
      const { token, call } = callFor(faults, ADA)
      return loosely(graph.getEdge, token, {
        ...call,
        edge: faults.has('scopes') ? 'friends' : 'likes',
        fields: entryFields(faults),
      })
    },
  ],
]

/** The same below an edge whose entries are pages: they have photos and likes, and need no scope. */
const entryFields = (faults: ReadonlySet<Stage>): string =>
  [
    'id',
    ...(faults.has('cost') ? [`photos{${EXPENSIVE}}`] : []),
    ...(faults.has('names') ? ['nmae'] : []),
    ...(faults.has('text') ? ['a,,b'] : []),
  ].join(',')

describe.each(READS)('%s', (_, read) => {
  it.each(ORDER)('can be at fault for %s alone', async stage => {
    const fault = await faultOf(read(new Set([stage])))
    expect(fault.data.reason).toBe(REASONS[stage])
  })

  it.each(PAIRS)('is at fault for %s before %s', async (first, second) => {
    const fault = await faultOf(read(new Set([first, second])))
    expect(fault.data.reason).toBe(REASONS[first])
  })

  it('is at fault for the first of all', async () => {
    for (const [index, stage] of ORDER.entries()) {
      const fault = await faultOf(read(new Set(ORDER.slice(index))))
      expect(fault.data.reason).toBe(REASONS[stage])
    }
  })
})

describe('within one stage', () => {
  const ask = (call: object): Promise<unknown> => loosely(graph.getNode, rich, { id: ADA, ...call })

  it('what the call says is judged before its expression', async () => {
    expect((await faultOf(ask({ id: 'Ada', fields: 'a,,b' }))).data).toMatchObject({ parameter: 'id' })
    expect((await faultOf(ask({ version: '1', fields: 'a,,b' }))).data).toMatchObject({
      parameter: 'version',
    })
  })

  it('names are judged in the order written', async () => {
    expect((await faultOf(ask({ fields: 'shoe,nmae' }))).data).toMatchObject({ name: 'shoe' })
    expect((await faultOf(ask({ fields: 'photos{shoe},nmae' }))).data).toMatchObject({ name: 'shoe' })
    expect((await faultOf(ask({ fields: 'name.size(1),shoe' }))).data).toMatchObject({
      reason: 'bad_parameter',
    })
  })

  it('scopes are judged in the order written', async () => {
    const fields = 'friends,photos'
    expect((await faultOf(loosely(graph.getNode, poor, { id: ADA, fields }))).data).toMatchObject({
      scope: 'user_friends',
    })
  })

  it('cursors and dates inside an expression come last', async () => {
    expect((await faultOf(ask({ fields: 'photos.after(x),nmae' }))).data.reason).toBe('unknown_field')
    expect((await faultOf(ask({ fields: `photos.after(x){${EXPENSIVE}}` }))).data.reason).toBe('too_costly')
    expect((await faultOf(ask({ fields: 'photos.after(x)' }))).data).toMatchObject({ parameter: 'after' })
  })

  it('misuse by the calling code comes before every fault', async () => {
    await expect(loosely(graph.getNode, '', { id: 'Ada', feilds: 'x' })).rejects.toThrow(TypeError)
    await expect(loosely(graph.getNode, '', { id: 'Ada', fields: 1 })).rejects.toThrow(TypeError)
    await expect(loosely(graph.getEdge, '', { id: 'Ada', edge: 'friends', type: 'shop' })).rejects.toThrow(
      TypeError,
    )
  })
})
