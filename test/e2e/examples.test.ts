import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTables } from '../../examples/social-archive/tables.ts'
import { runExample as run } from '../helpers/run-example.ts'
import { type ArchiveFile, createTar, socialArchive } from './social-archive.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Lines that each small example prints. */
const SMALL: { readonly [example: string]: readonly string[] } = {
  '01-hello.ts': ["{ name: 'Ada Lovelace', id: '4' }"],
  '02-schema.ts': [
    "since: '2026-03-01T00:00:00+0000',",
    "{ title: 'Emma', shelf: 'B 12', id: '201' }",
    '(#12) Field shelf is not available in version v2.0 and higher',
  ],
  '03-paging.ts': [
    "backwards: [ '105', '104', '103', '102' ]",
    "from 3 to 5 May: [ '104', '103', '102' ]",
    "the oldest two of 10 [ '100', '101' ]",
  ],
  '04-tokens.ts': [
    "{ name: 'Mary', id: '1' } { name: 'Mary', email: 'mary@example.org', id: '1' }",
    "after two hours: [ 'token_expired', 'token_revoked' ]",
    'after the loss of a phone: token_revoked none',
  ],
  '05-custom-store.ts': ['three levels: { reads: 3, nodes: 1, ranges: 4, writes: 0 }'],
  '06-observability.ts': [
    'graph_reads_total{method="getMe"} 3',
    'graph_queries_total{method="getNode",error="node_not_found"} 1',
  ],
  '07-jwt.ts': [
    "with the scope: { name: 'Mary', email: 'mary@example.org', id: '1' }",
    "with the next key, without the scope: { name: 'Mary', id: '1' }",
    "foreign, expired, forged: [ 'token_invalid', 'token_expired', 'token_invalid' ]",
    'while the keys cannot be fetched: store_error',
  ],
  '08-friends-only.ts': [
    "viewer 2: [ '139', '138', '137' ] of 40",
    "viewer 3: [ '135', '130', '125' ] of 8",
    "hidden, missing, blocked: [ 'node_not_found', 'node_not_found', 'node_not_found' ]",
    "denied: [ 'no rule', 'not(hasEdgeToViewer(blocked))' ]",
  ],
  '09-group-members.ts': [
    "Weavers [ 'Gunta', 'Anni' ] [ 'The loom is mended' ]",
    "for Josef: [ 'node_not_found', 'node_not_found' ]",
    'after leaving: node_not_found',
  ],
  '10-page-owners.ts': [
    "the owner: { reach: 900, stages: [ 'draft', 'early', 'public' ] }",
    "a reader who likes it: { reach: undefined, stages: [ 'early', 'public' ] }",
    'the page itself: Looms 900',
  ],
  '11-remote-client.ts': [
    "over HTTP: { name: 'Jane', titles: [ 'Emma', 'Persuasion', 'Sanditon' ] }",
    'the same error: node_not_found',
  ],
  '12-idempotent-writes.ts': [
    'sent twice: 201 201 posts: 1',
    'another text, another viewer: [ 409, 201 ] posts: 2',
    'a stranger: 400',
    'two edits, and one of another viewer: [ 200, 409, 403 ]',
    'an edit that is sent again: 200',
  ],
  '13-roles.ts': [
    "Ada: [ 'pay@example.org', '1 2 3', 1 ]",
    "Mary: [ 'no billing', '1 2 3', 1 ]",
    "Gus: [ 'no billing', '1 3', 0 ]",
    'Sam: nothing',
    "Gus as a member: [ 'no billing', '1 2 3', 0 ]",
    "the support desk: [ 'pay@example.org', '1 2 3', 0 ] audit: [ 'getNode' ]",
  ],
}

describe('the small examples', () => {
  it('all have a test', async () => {
    const files = await readdir(join(root, 'examples'))
    expect(files.filter(file => file.endsWith('.ts')).sort()).toEqual(Object.keys(SMALL))
  })

  it.each(Object.entries(SMALL))(
    'run without a failed assertion and print their results: %s',
    async (example, lines) => {
      const printed = (await run(example)).split('\n').map(line => line.trim())
      expect(printed).toEqual(expect.arrayContaining([...lines]))
    },
  )
})

describe('the tour of the demo', () => {
  it('prints each call as code, followed by its result', async () => {
    const printed = await run('demo/tour.ts')
    expect(printed).toContain('the 77 people of Les Misérables, and 254 links')
    expect(printed).toContain('\ngraph.getMe(token)\n{ "name": "Marius", "id": "1056" }\n')
    expect(printed).toContain('"age_range": { "min": 21 }')
    expect(printed).toContain('"summary": { "order": "reverse_chronological", "total_count": 19 }')
    expect(printed).toContain('after: first.paging?.cursors.after')
    expect(printed).toContain('did you mean name?')
    expect(printed).toContain('Field email of user is left out: the token lacks the scope email')
    expect(printed).toContain('(#200) friends of user requires the scope user_friends')
  })

  it('prints the same in every run, without tokens and random values', async () => {
    const [first, second] = await Promise.all([run('demo/tour.ts'), run('demo/tour.ts')])
    expect(first).toBe(second)
  })
})

describe('the example social-archive', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kithgraph-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  const writeArchive = async (name: string, content: Uint8Array): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, gzipSync(content))
    return path
  }

  describe('with --json', () => {
    type Report = {
      readonly load: object
      readonly reads: readonly { readonly name: string; readonly reads: number; readonly result: object }[]
    }
    let report: Report
    beforeAll(async () => {
      const path = await writeArchive('social.tar.gz', createTar(socialArchive))
      report = JSON.parse(await run('social-archive/main.ts', path, '--json'))
    })

    it('loads all nodes and edges', () => {
      expect(report.load).toMatchObject({ nodes: 9, edges: 14 })
    })

    it('uses one store read per level for each of the seven queries of the benchmark', () => {
      const requests = report.reads.map(read => [read.name, read.reads])
      expect(Object.fromEntries(requests)).toEqual({ IS1: 2, IS2: 5, IS3: 2, IS4: 1, IS5: 2, IS6: 5, IS7: 4 })
    })

    it('returns the expected results of the seven queries', () => {
      const responses = report.reads.map(({ name, result }) => [name, result])
      const mahinda = { first_name: 'Mahinda', last_name: 'Perera', id: '1933' }
      const friend = { first_name: 'Hồ', last_name: 'Do', id: '14194' }
      const wall = { title: 'Wall of Mahinda Perera', moderator: { data: [mahinda] } }
      expect(Object.fromEntries(responses)).toMatchObject({
        IS1: {
          ...mahinda,
          birthday: '12/03/1989',
          created_time: '2010-02-14T15:32:10+0000',
          city: { data: [{ name: 'Kelaniya' }] },
        },
        IS2: {
          messages: {
            data: [
              { id: '47', parent: { data: [{ id: '45', parent: { data: [{ id: '43', from: mahinda }] } }] } },
              { id: '43' },
            ],
          },
        },
        IS3: { friends: { data: [{ ...friend, since: '2010-12-10T14:30:29+0000' }] } },
        IS4: { id: '47' },
        IS5: { from: mahinda },
        IS6: { parent: { data: [{ parent: { data: [{ group: { data: [wall] } }] } }] } },
        IS7: { comments: { data: [{ id: '49', from: { ...friend, viewer_knows: true } }] } },
      })
    })
  })

  it('prints readable text without --json', async () => {
    const path = await writeArchive('printed.tar.gz', createTar(socialArchive))
    const printed = await run('social-archive/main.ts', path)
    expect(printed).toContain('Loaded 9 nodes and 14 edges')
    expect(printed).toMatch(
      /IS4\. A message\n {3}missing: its text.*\n.* ms, store reads: 1, message: 47, fields:\n {3}id\n/,
    )
  })

  it('reads all rows of a table, whatever the order of its files and the length of its lines', async () => {
    const long = 'ö|'.repeat(50_000)
    const files: ArchiveFile[] = [
      { name: 'a/Tag_1.csv', text: '2|second\n' },
      { name: 'a/readme.txt', text: 'not a table\n' },
      { name: 'a/Tag.csv', text: `id:ID(Tag)|name:STRING\n1|first\n${long}` },
    ]
    const path = await writeArchive('cut.tar.gz', createTar(files))
    const rows: (readonly string[])[] = []
    for await (const part of readTables(path, ['Tag'])) rows.push(...part.rows)
    expect(rows).toEqual([['2', 'second'], ['1', 'first'], long.split('|')])
  })

  it.each([
    ['ends inside a file', createTar(socialArchive).subarray(0, 515), /ends inside/],
    ['is not a tar archive', new Uint8Array(512).fill(65), /not a tar archive/],
  ])('fails if its archive %s', async (_, content, message) => {
    const path = await writeArchive('broken.tar.gz', content)
    await expect(run('social-archive/main.ts', path)).rejects.toThrow(message)
  })
})
