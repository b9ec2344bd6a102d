import { socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { completionsAt } from '../../../src/explorer/page/expression/completions-at.ts'
import { toSchemaView } from '../../../src/explorer/schema-view.ts'

const schema = toSchemaView(socialSchema, 'v1.0')
const user = { types: ['user'], edge: undefined }

/** Returns the proposals at the `|` of a text, and the part of the text that they replace. */
const completeAt = (marked: string, root = user) => {
  const position = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = completionsAt(text, position, schema, root)
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
