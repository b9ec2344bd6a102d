import { createGraph } from 'kithgraph'
import { type CountedStore, countReads } from 'kithgraph/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { ADA, NOBODY, SCOPES, worldStore } from '../../helpers/world.ts'
import { faultOf, loosely } from './fault-of.ts'

const store: CountedStore = countReads(await worldStore())
const graph = createGraph(store)
const { getEdge, getNode, getNodes } = graph
const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
const bare = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })

beforeEach(() => store.clear())

const NONE = { nodes: 0, ranges: 0, tests: 0, tokens: 0 }

/** How much each read asked. */
const asked = () => store.reads.map(read => read.asked)

describe('a query that is refused', () => {
  const TOKEN = { ...NONE, tokens: 2 }
  const ROOT = { ...NONE, nodes: 1, tokens: 2 }

  it.each([
    ['token_missing', getNode, '', { id: ADA }, []],
    ['token_unknown', getNode, 'no such token', { id: ADA }, [{ ...NONE, nodes: 1 }]],
    ['proof_invalid', getNode, token, { id: ADA, proof: 'wrong' }, [ROOT]],
    ['syntax', getNode, token, { id: ADA, fields: 'name,' }, [TOKEN]],
    ['expression_too_deep', getNode, token, { id: ADA, fields: 'a{'.repeat(9) }, [TOKEN]],
    ['bad_parameter', getNode, token, { id: 'Ada' }, [TOKEN]],
    ['bad_parameter', getEdge, token, { id: ADA, edge: 'photos', limit: 0 }, [TOKEN]],
    ['bad_parameter', getEdge, token, { id: ADA, edge: 'photos', after: 'x' }, [TOKEN]],
    [
      'too_many_ids',
      getNodes,
      token,
      { ids: Array.from({ length: 51 }, (_, index) => `${index + 1}`) },
      [TOKEN],
    ],
    ['node_missing', getNode, token, { id: NOBODY, fields: 'photos{comments}' }, [ROOT]],
    ['unknown_field', getNode, token, { id: ADA, fields: 'photos{comments},nmae' }, [ROOT]],
    ['scope_missing', getNode, bare, { id: ADA, fields: 'photos{comments}' }, [ROOT]],
    [
      'too_costly',
      getNode,
      token,
      { id: ADA, fields: 'photos.limit(100){comments.limit(100){likes.limit(100)}}' },
      [ROOT],
    ],
    ['bad_parameter', getNode, token, { id: ADA, fields: 'photos.after(x){comments}' }, [ROOT]],
    ['scope_missing', getEdge, bare, { id: ADA, edge: 'photos', fields: 'from' }, [{ ...ROOT, ranges: 1 }]],
  ])('for %s reads at most the token and the roots', async (reason, call, caller, options, reads) => {
    const fault = await faultOf(loosely(call, caller, options))
    expect(fault.data.reason).toBe(reason)
    expect(asked()).toEqual(reads)
  })

  it('reads nothing at all for a session, where the text decides', async () => {
    await faultOf(loosely(getNode, ada, { id: ADA, fields: 'name,' }))
    await faultOf(loosely(getEdge, ada, { id: ADA, edge: 'photos', limit: 0 }))
    expect(asked()).toEqual([])
  })
})
