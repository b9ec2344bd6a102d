/**
 * A workspace with admins, members and guests. Admins also see the billing, members all documents, and guests
 * only the documents that are shared with them. The support desk reads past all policies.
 */
import { deepStrictEqual } from 'node:assert/strict'
import {
  allOf,
  createGraph,
  defineSchema,
  edge,
  field,
  fieldEquals,
  hasEdgeToViewer,
  node,
  parameter,
  type Rule,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'

const ROLES = ['admin', 'member', 'guest'] as const
type Role = (typeof ROLES)[number]

// The role is a field of the edge to the person. All policies use these two functions, so only they know this.
/** Allows the people who have one of these roles in the record, which is a workspace. */
const hasRole = (...role: Role[]): Rule => hasEdgeToViewer('people', { where: { role } })
/** Allows the people who have one of these roles in the workspace of the record. */
const hasRoleInWorkspace = (...role: Role[]): Rule =>
  hasEdgeToViewer('people', { of: 'workspace', where: { role } })

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string({ default: true, required: true }) } }),
    workspace: node({
      policy: [hasRole(...ROLES)],
      fields: {
        name: field.string({ default: true, required: true }),
        billing_email: field.string({ policy: [hasRole('admin')] }),
      },
      edges: {
        people: edge('user', {
          // Guests do not see who else is there.
          policy: [hasRole('admin', 'member')],
          fields: { role: field.enum(ROLES, { required: true }) },
          parameters: { role: parameter.enum(ROLES) },
          where: ({ data }, { role }) => data.role === role,
        }),
        documents: edge('document'),
      },
    }),
    document: node({
      policy: [
        hasRoleInWorkspace('admin', 'member'),
        allOf(hasRoleInWorkspace('guest'), fieldEquals('shared', true)),
      ],
      fields: {
        title: field.string({ default: true, required: true }),
        shared: field.bool(),
        workspace: field.ref('workspace', { required: true }),
      },
    }),
  },
  { viewers: ['user'] },
)

const audit: string[] = []
await using graph = createGraph(createMemoryStore(), {
  schema,
  onEvent(event) {
    if (event.kind === 'query' && event.bypassedPolicies) audit.push(event.method)
  },
})

const PEOPLE = ['Ada', 'Mary', 'Gus', 'Sam']
await graph.load([
  ...PEOPLE.map((name, index) => ({ node: { id: `${index + 1}`, type: 'user' as const, fields: { name } } })),
  { node: { id: '10', type: 'workspace', fields: { name: 'Looms', billing_email: 'pay@example.org' } } },
  ...ROLES.map((role, index) => ({
    edge: { source: '10', name: 'people' as const, target: `${index + 1}`, time: index, data: { role } },
  })),
  ...[true, false, true].flatMap((shared, index) => {
    const id = `${20 + index}`
    const fields = { title: `Pattern ${index + 1}`, shared, workspace: '10' }
    return [
      { node: { id, type: 'document' as const, fields } },
      { edge: { source: '10', name: 'documents' as const, target: id, time: index } },
    ]
  }),
])

/** Returns what a session sees of the workspace: its billing, documents and guests. */
const readWorkspace = async (session: ReturnType<typeof graph.session>) => {
  const fields = 'billing_email,documents.order(chronological){title},people.role(guest).summary(true)'
  const workspace = await graph
    .getNode(session, { id: '10', type: 'workspace', fields })
    .catch(() => undefined)
  if (workspace === undefined) return 'nothing'
  const { billing_email = 'no billing', documents, people } = workspace
  return [
    billing_email,
    documents.data.map(({ title }) => title.slice(-1)).join(' '),
    people.summary?.total_count,
  ]
}
const as = (name: string) => graph.session({ viewer: `${PEOPLE.indexOf(name) + 1}`, app: 'looms' })

for (const [name, expected] of [
  ['Ada', ['pay@example.org', '1 2 3', 1]],
  ['Mary', ['no billing', '1 2 3', 1]],
  ['Gus', ['no billing', '1 3', 0]],
  ['Sam', 'nothing'],
] as const) {
  const seen = await readWorkspace(as(name))
  console.log(`${name}:`, seen)
  deepStrictEqual(seen, expected)
}

// A person has one role, because a new edge replaces the one before.
await graph.write([
  { op: 'putEdge', edge: { source: '10', name: 'people', target: '3', data: { role: 'member' } } },
])
const promoted = await readWorkspace(as('Gus'))
console.log('Gus as a member:', promoted)
deepStrictEqual(promoted, ['no billing', '1 2 3', 0])

// Sam works for the support desk and has no role. Your own code decides who may have such a session.
const support = graph.session({ viewer: '4', app: 'support', bypassPolicies: true })
const supported = await readWorkspace(support)
console.log('the support desk:', supported, 'audit:', audit)
deepStrictEqual([supported, audit], [['pay@example.org', '1 2 3', 0], ['getNode']])
