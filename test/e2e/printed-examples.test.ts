import { describe, expect, it } from 'vitest'
import { runExample } from '../helpers/run-example.ts'

/** What the programs print of that which they also assert. */
const PRINTED: { readonly [example: string]: readonly string[] } = {
  'library/main.ts': [
    '{ "title": "Emma", "decade": "1810s", "isbn": "9780141439587", "on_shelf": 1, "id": "201" }',
    '"book": { "title": "Emma", "author": { "name": "Jane Austen", "id": "101" }, "id": "201" }',
    '{ "title": "Emma", "subjects": [ "marriage" ], "id": "201" }',
    '(#12) Field subjects requires version v2.0 or higher',
    'fields.isbn must be an ISBN of 13 digits',
  ],
  'observability/main.ts': [
    'GET /v1.0/me\n  graph.wave\n  graph.wave\n  graph.wave\n  graph.getMe\n',
    'GET /v1.0/3\n  graph.wave\n  graph.getNode: node_missing\n',
    'graph.wave.duration {"method":"getMe"} 3 times\n',
    'graph.faults {"method":"getNode","reason":"node_missing"} 1\n',
  ],
}

describe('the programs that print what they do', () => {
  it.each(Object.entries(PRINTED))('%s keeps what it asserts, and prints it', async (example, texts) => {
    const printed = await runExample(example)
    for (const text of texts) expect(printed).toContain(text)
  })
})
