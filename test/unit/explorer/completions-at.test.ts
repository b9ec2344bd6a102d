import { socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { completionsAt } from '../../../src/explorer/page/expression/completions-at.ts'
import { schemaViewOf } from '../../../src/explorer/schema-view.ts'

const schema = schemaViewOf(socialSchema, 'v1.0')
const user = { types: ['user'], edge: undefined }

/** What is proposed at the `|` of a text, and what of the text it would replace. */
const at = (marked: string, root = user) => {
  const position = marked.indexOf('|')
  const text = marked.replace('|', '')
  const found = completionsAt(text, position, schema, root)
  return {
    labels: found?.proposals.map(({ label }) => label) ?? [],
    replaced: found && text.slice(found.from, found.to),
    proposals: found?.proposals ?? [],
  }
}

describe('completion of names', () => {
  it('proposes id, fields and edges of the type in the order of the schema', () => {
    const { labels } = at('|')
    expect(labels.slice(0, 3)).toEqual(['id', 'name', 'first_name'])
    expect(labels).toContain('friends')
  })

  it('replaces the word that the cursor is in', () => {
    expect(at('name,fr|i').replaced).toBe('fri')
  })

  it('leaves out what the list has already, but not the word that is being written', () => {
    const { labels } = at('name,gend|')
    expect(labels).not.toContain('name')
    expect(labels).toContain('gender')
    expect(at('name|').labels).toContain('name')
  })

  it('does not take names of another list for those of this', () => {
    expect(at('name,friends{|}').labels).toContain('name')
  })

  it('goes by the types that edges and refs lead to', () => {
    expect(at('posts.limit(2){|}').labels).toContain('message')
    expect(at('posts{from{|').labels).toContain('category')
    expect(at('posts.fields(|)').labels).toContain('viewer_likes')
  })

  it('knows what entries have beside the fields of their type', () => {
    expect(at('groups{members{|').labels).toContain('joined')
  })

  it('tells types, descriptions and scopes', () => {
    const friends = at('fri|').proposals.find(({ label }) => label === 'friends')
    expect(friends).toMatchObject({ kind: 'edge', detail: '→ user' })
    expect(friends?.info).toContain('Needs the scope user_friends.')
  })

  it('proposes nothing where a name has just ended, or below a plain field', () => {
    expect(at('name |').labels).toEqual([])
    expect(at('name{|').labels).toEqual([])
    expect(at('|', { types: [], edge: undefined }).labels).toEqual([])
  })
})

describe('completion of modifiers', () => {
  it('proposes those of an edge behind a dot, with the parentheses', () => {
    const { proposals } = at('friends.|')
    expect(proposals.map(({ label }) => label)).toContain('limit')
    expect(proposals.find(({ label }) => label === 'limit')?.insert).toBe('limit()')
  })

  it('proposes each once', () => {
    const { labels } = at('friends.limit(2).|')
    expect(labels).not.toContain('limit')
    expect(labels).toContain('summary')
  })

  it('proposes the parameters of a field, and an alias', () => {
    expect(at('picture.|').labels).toEqual(['width', 'height', 'type', 'redirect', 'as'])
    expect(at('name.|').labels).toEqual(['as'])
  })

  it('proposes the values that there are', () => {
    expect(at('friends.order(|)').labels).toEqual(['chronological', 'reverse_chronological'])
    expect(at('friends.summary(t|)')).toMatchObject({ labels: ['true', 'false'], replaced: 't' })
    expect(at('friends.limit(|)').labels).toEqual([])
  })
})
