/** Drafts and insights that only the owners of a page and the page itself see, and a custom rule. */
import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import {
  allOf,
  createGraph,
  field,
  fieldEquals,
  hasScope,
  isViewer,
  type Rule,
  socialSchema,
  viewerHasEdge,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

/**
 * Allows people who like the page to see its posts earlier than others. The rule needs one check for each
 * post. The graph does the checks of a whole feed in one store read.
 */
const isEarlyReader: Rule = {
  name: 'isEarlyReader',
  checks: ({ fields: { from } }, { viewer }) =>
    viewer === undefined || typeof from !== 'string' ? [] : [{ source: viewer, name: 'likes', target: from }],
  decide: ({ fields }, _session, [likes]) => (fields.stage === 'early' && likes === true ? 'allow' : 'skip'),
}

const schema = socialSchema.extend({
  page: {
    fields: {
      reach: field.int({
        description: 'How many people saw the page last week.',
        // Allows the page itself, and its owners if they use an app that may read insights.
        policy: [isViewer(), allOf(viewerHasEdge('accounts'), hasScope('read_insights'))],
      }),
    },
  },
  post: {
    fields: { stage: field.enum(['draft', 'early', 'public'], { required: true }) },
    policy: [
      fieldEquals('stage', 'public'),
      isViewer({ of: 'from' }),
      viewerHasEdge('accounts', { of: 'from' }),
      isEarlyReader,
    ],
  },
})

await using graph = createGraph(createMemoryStore(), { schema })
await graph.load([
  { node: { id: '1', type: 'user', fields: { name: 'Anni' } } },
  { node: { id: '2', type: 'user', fields: { name: 'Gunta' } } },
  { node: { id: '40', type: 'page', fields: { name: 'Looms', reach: 900 } } },
  { edge: { source: '1', name: 'accounts', target: '40', time: '2026-01-01' } },
  { edge: { source: '2', name: 'likes', target: '40', time: '2026-01-01' } },
  ...(['public', 'early', 'draft'] as const).flatMap((stage, index) => [
    {
      node: {
        id: `${50 + index}`,
        type: 'post' as const,
        fields: { message: `A ${stage} one`, from: '40', stage },
      },
    },
    { edge: { source: '40', name: 'posts' as const, target: `${50 + index}`, time: index * 1000 } },
  ]),
])

const fields = 'reach,posts.summary(true){stage}'
const read = async (viewer: string | undefined, scopes: readonly string[] = []) => {
  const session = graph.session({ viewer, app: 'pages', scopes })
  const { reach, posts } = await graph.getNode(session, { id: '40', type: 'page', fields })
  strictEqual(posts.summary?.total_count, posts.data.length)
  return { reach, stages: posts.data.map(({ stage }) => stage) }
}

const all = ['draft', 'early', 'public']
const owner = await read('1', ['read_insights'])
console.log('the owner:', owner)
deepStrictEqual(owner, { reach: 900, stages: all })
deepStrictEqual(await read('1'), { reach: undefined, stages: all }, 'no scope, no figures')

const reader = await read('2')
console.log('a reader who likes it:', reader)
deepStrictEqual(reader, { reach: undefined, stages: ['early', 'public'] })
deepStrictEqual(await read(undefined), { reach: undefined, stages: ['public'] }, 'an app on its own')

// With a token of the page, the page is the viewer. So `me` is the page, and it sees its own drafts.
const token = await graph.tokens.issue({ viewer: '40', app: 'pages' })
const me = await graph.getMe(token, { fields: 'name,reach,posts{stage}' })
console.log('the page itself:', me.name, me.reach)
deepStrictEqual([me.reach, me.posts?.data.length], [900, 3])
