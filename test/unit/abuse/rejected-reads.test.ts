import { createGraph } from 'kithgraph'
import { type CountedStore, countReads } from 'kithgraph/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { ADA, createWorldStore, NOBODY, SCOPES } from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from './expect-graph-error.ts'

const store: CountedStore = countReads(await createWorldStore())
const graph = createGraph(store)
const { getEdge, getNode, getNodes } = graph
const ada = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
const unscopedToken = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: [] })

beforeEach(() => store.clear())

const NO_READS = { nodes: 0, ranges: 0, checks: 0, tokens: 0 }

/** Returns the number of items that each store read requests. */
const countReadParts = () => store.reads.map(read => read.requested)

describe('a rejected query', () => {
  const TOKEN = { ...NO_READS, tokens: 2 }
  const ROOT = { ...NO_READS, nodes: 1, tokens: 2 }

  it.each([
    ['token_missing', getNode, '', { id: ADA }, []],
    ['token_invalid', getNode, 'no such token', { id: ADA }, [{ ...NO_READS, nodes: 1 }]],
    ['proof_invalid', getNode, token, { id: ADA, proof: 'wrong' }, [ROOT]],
    ['invalid_syntax', getNode, token, { id: ADA, fields: 'name,' }, [TOKEN]],
    ['expression_too_deep', getNode, token, { id: ADA, fields: 'a{'.repeat(9) }, [TOKEN]],
    ['invalid_parameter', getNode, token, { id: 'Ada' }, [TOKEN]],
    ['invalid_parameter', getEdge, token, { id: ADA, edge: 'posts', limit: 0 }, [TOKEN]],
    ['invalid_parameter', getEdge, token, { id: ADA, edge: 'posts', after: 'x' }, [TOKEN]],
    [
      'too_many_ids',
      getNodes,
      token,
      { ids: Array.from({ length: 51 }, (_, index) => `${index + 1}`) },
      [TOKEN],
    ],
    ['node_not_found', getNode, token, { id: NOBODY, fields: 'photos{comments}' }, [ROOT]],
    ['field_not_found', getNode, token, { id: ADA, fields: 'photos{comments},nmae' }, [ROOT]],
    ['scope_missing', getNode, unscopedToken, { id: ADA, fields: 'photos{comments}' }, [ROOT]],
    [
      'query_too_expensive',
      getNode,
      token,
      { id: ADA, fields: 'photos.limit(100){comments.limit(100){likes.limit(100)}}' },
      [ROOT],
    ],
    ['invalid_parameter', getNode, token, { id: ADA, fields: 'photos.after(x){comments}' }, [ROOT]],
    [
      'scope_missing',
      getEdge,
      unscopedToken,
      { id: ADA, edge: 'posts', fields: 'from' },
      [{ ...ROOT, ranges: 1 }],
    ],
  ])(
    'reads from the store at most its token and the nodes or list of its first level: %s',
    async (reason, call, caller, options, reads) => {
      const error = await expectGraphError(callUntyped(call, caller, options))
      expect(error.reason).toBe(reason)
      expect(countReadParts()).toEqual(reads)
    },
  )

  it('reads nothing from the store if it has a session and an invalid expression or parameter', async () => {
    await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields: 'name,' }))
    await expectGraphError(callUntyped(getEdge, ada, { id: ADA, edge: 'photos', limit: 0 }))
    expect(countReadParts()).toEqual([])
  })
})
