import { describe, expect, it } from 'vitest'
import { runExample } from '../helpers/run-example.ts'

/** Texts that the programs print. */
const PRINTED: { readonly [example: string]: readonly string[] } = {
  'library/main.ts': [
    '{ "title": "Emma", "decade": "1810s", "isbn": "9780141439587", "on_shelf": 1, "id": "201" }',
    '"book": { "title": "Emma", "author": { "name": "Jane Austen", "id": "101" }, "id": "201" }',
    '{ "title": "Emma", "subjects": [ "marriage" ], "id": "201" }',
    '(#12) Field subjects requires version v2.0 or higher',
    'must be an ISBN of 13 digits',
  ],
  'observability/main.ts': [
    'GET /v1.0/me\n  graph.read\n  graph.read\n  graph.read\n  graph.getMe\n',
    'GET /v1.0/3\n  graph.read\n  graph.getNode: node_not_found\n',
    'graph.read.duration {"method":"getMe"} 3 times\n',
    'graph.errors {"method":"getNode","reason":"node_not_found"} 1\n',
  ],
}

describe('the larger examples', () => {
  it.each(Object.entries(PRINTED))(
    'run without a failed assertion and print their results: %s',
    async (example, texts) => {
      const printed = await runExample(example)
      for (const text of texts) expect(printed).toContain(text)
    },
  )
})
