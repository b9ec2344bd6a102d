import { defineSchema, edge, field, node, parameter, socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { completionsAt } from '../../../src/explorer/page/expression/completions-at.ts'
import { toSchemaView } from '../../../src/explorer/schema-view.ts'

const schema = toSchemaView(socialSchema, 'v1.0')

const shop = toSchemaView(
  defineSchema(
    {
      customer: node({
        edges: {
          orders: edge('order', {
            parameters: {
              state: parameter.enum(['open', 'on its way'], { default: 'open', description: 'The state.' }),
              urgent: parameter.bool({ required: true }),
              from: parameter.id(),
              min: parameter.int(),
            },
            where: () => true,
          }),
        },
      }),
      dealer: node({
        edges: {
          orders: edge('order', {
            parameters: { state: parameter.enum(['open', 'lost']), region: parameter.string() },
            where: () => true,
          }),
        },
      }),
      order: node({ fields: { name: field.string() } }),
    },
    { versions: ['v1.0'], viewers: ['customer'] },
  ),
  'v1.0',
)

const user = { types: ['user'], edge: undefined }

/** Returns the proposals at the `|` of a text, and the part of the text that they replace. */
const completeAt = (marked: string, root = user, schemaView = schema) => {
  const position = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = completionsAt(text, position, schemaView, root)
  return {
    labels: found?.proposals.map(({ label }) => label) ?? [],
    replaced: found && text.slice(found.from, found.to),
    proposals: found?.proposals ?? [],
  }
}

describe('completion of names in the Explorer', () => {
  it('proposes id, fields and edges of the type in the order of the schema', () => {
    const { labels } = completeAt('|')
    expect(labels.slice(0, 3)).toEqual(['id', 'name', 'first_name'])
    expect(labels).toContain('friends')
  })

  it('replaces the word that the cursor is in', () => {
    expect(completeAt('name,fr|i').replaced).toBe('fri')
  })

  it('leaves out the names that are already in the list, except the word at the cursor', () => {
    const { labels } = completeAt('name,gend|')
    expect(labels).not.toContain('name')
    expect(labels).toContain('gender')
    expect(completeAt('name|').labels).toContain('name')
  })

  it('proposes a name that is already in another list', () => {
    expect(completeAt('name,friends{|}').labels).toContain('name')
  })

  it('proposes the names of the types that edges and refs lead to', () => {
    expect(completeAt('posts.limit(2){|}').labels).toContain('message')
    expect(completeAt('posts{from{|').labels).toContain('category')
    expect(completeAt('posts.fields(|)').labels).toContain('viewer_likes')
  })

  it('proposes the fields of the edge itself for the entries of an edge', () => {
    expect(completeAt('groups{members{|').labels).toContain('joined')
  })

  it('shows types, descriptions and scopes', () => {
    const friends = completeAt('fri|').proposals.find(({ label }) => label === 'friends')
    expect(friends).toMatchObject({ kind: 'edge', detail: '→ user' })
    expect(friends?.info).toContain('Requires the scope user_friends.')
  })

  it('proposes nothing after the end of a name or below a plain field', () => {
    expect(completeAt('name |').labels).toEqual([])
    expect(completeAt('name{|').labels).toEqual([])
    expect(completeAt('|', { types: [], edge: undefined }).labels).toEqual([])
  })
})

describe('completion of modifiers in the Explorer', () => {
  it('proposes the modifiers of an edge after a dot, with parentheses', () => {
    const { proposals } = completeAt('friends.|')
    expect(proposals.map(({ label }) => label)).toContain('limit')
    expect(proposals.find(({ label }) => label === 'limit')?.insertText).toBe('limit()')
  })

  it('leaves out modifiers that are already used', () => {
    const { labels } = completeAt('friends.limit(2).|')
    expect(labels).not.toContain('limit')
    expect(labels).toContain('summary')
  })

  it('proposes the parameters of a field, and `as` for an alias', () => {
    expect(completeAt('picture.|').labels).toEqual(['width', 'height', 'type', 'redirect', 'as'])
    expect(completeAt('name.|').labels).toEqual(['as'])
  })

  it('proposes the possible values of an argument', () => {
    expect(completeAt('friends.order(|)').labels).toEqual(['chronological', 'reverse_chronological'])
    expect(completeAt('friends.summary(t|)')).toMatchObject({ labels: ['true', 'false'], replaced: 't' })
    expect(completeAt('friends.limit(|)').labels).toEqual([])
  })
})

describe('completion of the parameters of an edge in the Explorer', () => {
  const customer = { types: ['customer'], edge: undefined }
  const both = { types: ['customer', 'dealer'], edge: undefined }
  const completeInShop = (marked: string, root = customer) => completeAt(marked, root, shop)

  it('proposes them before the other modifiers', () => {
    const { labels } = completeInShop('orders.|')
    expect(labels.slice(0, 5)).toEqual(['state', 'urgent', 'from', 'min', 'limit'])
    expect(completeInShop('orders.state(open).|').labels).not.toContain('state')
  })

  it('shows their type, description, words and default, and whether they are required', () => {
    const { proposals } = completeInShop('orders.|')
    expect(proposals.slice(0, 4)).toMatchObject([
      {
        detail: 'enum',
        info: 'The state. One of: open, on its way. Default: open.',
        insertText: 'state()',
      },
      { detail: 'bool', info: 'Required.' },
      { detail: 'id', info: '' },
      { detail: 'int', info: '' },
    ])
  })

  it('proposes their words, in quotes if needed', () => {
    const { proposals, replaced } = completeInShop('orders.limit(2).state(o|){name}')
    expect(proposals.map(({ insertText }) => insertText)).toEqual(['open', '"on its way"'])
    expect(replaced).toBe('o')
    expect(completeInShop('orders.urgent(|)').labels).toEqual(['true', 'false'])
    expect(completeInShop('orders.from(|)').labels).toEqual(['me'])
    expect(completeInShop('orders.min(|)').labels).toEqual([])
  })

  it('proposes the parameters and words of all types that the object may have', () => {
    expect(completeInShop('orders.|', both).labels.slice(0, 5)).toEqual([
      'state',
      'urgent',
      'from',
      'min',
      'region',
    ])
    expect(completeInShop('orders.state(|)', both).labels).toEqual(['open', 'on its way', 'lost'])
  })
})
