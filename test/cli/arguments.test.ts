import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createSqliteStore } from 'kithgraph/sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROJECT, runCli } from '../helpers/run-cli.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'
import { startProxy } from '../helpers/tcp-proxy.ts'

let folder: ReturnType<typeof createTemporaryFolder>
let url: string
beforeAll(() => {
  folder = createTemporaryFolder()
  const path = join(folder.path, 'graph.db')
  url = `sqlite:${path}`
  const database = new Database(path)
  createSqliteStore(database).open()
  database.close()
})
afterAll(() => folder.remove())

const file = (name: string, content: string): string => {
  const path = join(folder.path, name)
  writeFileSync(path, content)
  return path
}

const COMMANDS = 'one of "introspect", "check tables", "serve", "check store", "collect"'

describe('the command line', () => {
  it('prints its help, which lists all options, with the status 0', async () => {
    const { status, lines, errors } = await runCli(['--help'])
    expect({ status, errors }).toEqual({ status: 0, errors: [] })
    const help = lines.join('\n')
    for (const option of [
      '--schema',
      '--repair',
      '--remove',
      '--prefix',
      '--postgres-schema',
      'KITHGRAPH_URL',
      '--out',
      '--check',
      '--graph',
      '--schemas',
      '--tables',
      '--port',
      'kithgraph introspect',
      'kithgraph check tables',
      'kithgraph serve',
      'kithgraph check store',
      'kithgraph collect',
    ])
      expect(help).toContain(option)
    expect(await runCli(['check', 'store', '-h'])).toMatchObject({ status: 0, lines })
  })

  it.each([
    ['no command', [], 'a command is required'],
    ['an unknown command', ['chekc'], `the command must be ${COMMANDS}; received "chekc"`],
    ['half of a command', ['check'], `the command must be ${COMMANDS}; received "check"`],
    ['no URL of introspect', ['introspect'], 'a URL or the environment variable KITHGRAPH_URL is required'],
    ['--check without a file', ['introspect', 'sqlite:a', '--check'], '--check requires --out FILE'],
    [
      '--check with --graph',
      ['introspect', 'sqlite:a', '--out', 'db.ts', '--graph', 'graph.ts', '--check'],
      '--check and --graph exclude each other',
    ],
    ['check tables without a file', ['check', 'tables'], 'check tables requires a file, such as graph.ts'],
    [
      'check tables without a URL',
      ['check', 'tables', 'graph.ts'],
      'a URL or the environment variable KITHGRAPH_URL is required',
    ],
    ['a word as a port', ['serve', 'sqlite:a', '--port', 'http'], '--port must be a number from 0 to 65535'],
    ['a port that does not exist', ['serve', 'sqlite:a', '--port', '65536'], '--port must be a number'],
    ['no URL', ['check', 'store'], 'a URL or the environment variable KITHGRAPH_URL is required'],
    ['no URL of collect', ['collect'], 'a URL or the environment variable KITHGRAPH_URL is required'],
    ['collect without a schema', ['collect', 'sqlite:a'], 'collect requires --schema FILE'],
    [
      'collect with an option of the check',
      ['collect', 'sqlite:a', '--schema', 'a.ts', '--repair'],
      '--repair is an option of "check store", not of "collect"',
    ],
    ['two URLs', ['check', 'store', 'sqlite:a', 'sqlite:b'], 'only one URL is expected'],
    ['an unknown option', ['check', 'store', 'sqlite:a', '--fix'], "Unknown option '--fix'"],
    [
      'an option without its value',
      ['check', 'store', 'sqlite:a', '--schema'],
      "Option '--schema <value>' argument missing",
    ],
    ['--remove without --repair', ['check', 'store', 'sqlite:a', '--remove'], '--remove requires --repair'],
    [
      'another kind of store',
      ['check', 'store', 'mysql:a'],
      'the URL in the arguments must begin with sqlite:',
    ],
    [
      'a path in place of a URL',
      ['check', 'store', 'graph.db'],
      'the URL in the arguments must begin with sqlite:',
    ],
    [
      'a file without a path',
      ['check', 'store', 'sqlite:'],
      'the URL in the arguments must have the path of a file',
    ],
    [
      'a database of Redis without a number',
      ['check', 'store', 'redis://127.0.0.1/graph'],
      'the URL in the arguments must have a path that is the number of a Redis database, such as /3',
    ],
    [
      'a database of a Redis Cluster',
      ['check', 'store', 'redis+cluster://127.0.0.1/3'],
      'the URL in the arguments must have no path, because it is that of a Redis Cluster',
    ],
    [
      'a prefix with a brace',
      ['check', 'store', 'redis://127.0.0.1', '--prefix', 'a{b}'],
      '--prefix must be a text without "{"',
    ],
    ['an option of Redis', ['check', 'store', 'sqlite:a', '--prefix', 'a'], '--prefix requires a Redis URL'],
    [
      'an option of Postgres',
      ['check', 'store', 'sqlite:a', '--postgres-schema', 'a'],
      '--postgres-schema requires a Postgres URL',
    ],
  ])('rejects %s with the status 2 and its usage', async (_, args, message) => {
    const { status, lines, errors } = await runCli(args)
    expect({ status, lines }).toEqual({ status: 2, lines: [] })
    expect(errors[0]).toContain(`kithgraph: ${message}`)
    expect(errors[0]).not.toContain('To specify a positional argument')
    expect(errors[1]).toContain('Usage: kithgraph introspect [URL]')
  })

  it('takes the URL from the environment', async () => {
    const environment = { KITHGRAPH_URL: url }
    const { status, lines } = await runCli(['check', 'store'], { environment })
    expect({ status, lines }).toEqual({ status: 0, lines: ['checked 0 nodes and 0 edges: no errors'] })
  })

  it.each([
    [
      'another kind of store',
      'mysql://someone:hush@host/a',
      'the URL in the environment variable KITHGRAPH_URL must begin',
    ],
    [
      'a missing file',
      'sqlite:missing.db',
      'missing.db does not exist (from the environment variable KITHGRAPH_URL)',
    ],
    [
      'a server that does not respond',
      'redis://someone:hush@127.0.0.1:1',
      'on the server 127.0.0.1:1 (from the environment variable KITHGRAPH_URL) cannot be opened',
    ],
  ])('says that a URL is from the environment: %s', async (_, KITHGRAPH_URL, message) => {
    const { status, errors } = await runCli(['check', 'store'], { environment: { KITHGRAPH_URL } })
    expect({ status, error: errors[0] }).toEqual({ status: 2, error: expect.stringContaining(message) })
    expect(errors.join()).not.toMatch(/someone|hush/)
  })

  it('prefers the URL in the arguments', async () => {
    const environment = { KITHGRAPH_URL: 'mysql:a' }
    expect(await runCli(['check', 'store', url], { environment })).toMatchObject({ status: 0 })
  })

  it('stops with the status 130 when it is interrupted', async () => {
    const signal = AbortSignal.abort()
    const { status, errors } = await runCli(['check', 'store', url], { signal })
    expect({ status, errors }).toEqual({ status: 130, errors: ['kithgraph: interrupted'] })
  })
})

describe('the command line, for a store that it cannot open', () => {
  it.each([
    [
      'a missing file',
      () => join(folder.path, 'missing.db'),
      /^kithgraph: the file .*missing\.db does not exist$/,
    ],
    ['a file of another kind', () => file('text.db', 'text'.repeat(1000)), /file is not a database/],
    ['an empty file', () => file('empty.db', ''), /expected tables of version 3; received an empty database/],
  ])('fails with the status 2 and without its usage: %s', async (_, toPath, message) => {
    const { status, lines, errors } = await runCli(['check', 'store', `sqlite:${toPath()}`])
    expect({ status, lines, count: errors.length }).toEqual({ status: 2, lines: [], count: 1 })
    expect(errors[0]).toMatch(message)
  })

  it.each([
    ['postgres://someone:hush%2Fhush@127.0.0.1:1/graph', 'npm install pg'],
    ['sqlite:./graph.db', 'npm install better-sqlite3'],
  ])('names the driver that the project lacks: %s', async (storeUrl, message) => {
    const { status, errors } = await runCli(['check', 'store', storeUrl], { folder: folder.path })
    const hasNodeSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined
    if (storeUrl.startsWith('sqlite:') && hasNodeSqlite) return expect(status).toBe(0)
    expect(status).toBe(2)
    expect(errors).toEqual([expect.stringContaining(message)])
  })

  it('never prints the credentials of a URL', async () => {
    const proxy = await startProxy(1)
    const urls = [
      `postgres://someone:hush%2Fhush@127.0.0.1:${proxy.port}/graph`,
      `postgres://127.0.0.1:${proxy.port}/graph?user=someone&password=hush%2Fhush`,
      'postgres://someone:hush%2Fhush@127.0.0.1:99999/graph',
      'postgresql://someone:hush%2Fhush@%zz/graph',
      'mysql://someone:hush%2Fhush@127.0.0.1/graph',
    ]
    for (const storeUrl of urls) {
      const { status, lines, errors } = await runCli(['check', 'store', storeUrl])
      expect(status).toBe(2)
      expect([...lines, ...errors].join('\n')).not.toMatch(/someone|hush/)
      const misplaced = await runCli([storeUrl])
      expect([...misplaced.lines, ...misplaced.errors].join('\n')).not.toMatch(/someone|hush/)
    }
    await proxy.stop()
  })
})

describe('the option --schema of the command line', () => {
  const check = (schemaFile: string) => runCli(['check', 'store', url, '--schema', schemaFile])

  it('accepts the export "schema"', async () => {
    expect(await check('test/cli/people-schema.ts')).toMatchObject({ status: 0 })
  })

  it.each([
    ['a missing file', () => 'missing.mjs', 'the schema file missing.mjs does not exist'],
    [
      'a module without a schema',
      () => file('other.mjs', 'export const schema = { types: {} }'),
      'must export a schema',
    ],
    [
      'a module that throws',
      () => file('throws.mjs', 'throw new Error("no types")'),
      'cannot be imported: no types',
    ],
  ])('rejects %s with the status 2', async (_, toPath, message) => {
    const { status, errors } = await check(toPath())
    expect(status).toBe(2)
    expect(errors).toEqual([expect.stringContaining(message)])
  })
})

/** Runs the command line in a process of its own, with the given flags of Node. */
const spawnCli = (flags: readonly string[], args: readonly string[]) => {
  const main = join(PROJECT, 'src/cli/main.ts')
  return spawn(process.execPath, [...flags, main, ...args], {
    cwd: PROJECT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

describe('the process of the command line', () => {
  it('ends with the status 130 after SIGINT, and changes nothing any more', async () => {
    const path = join(folder.path, 'large.db')
    const database = new Database(path)
    createSqliteStore(database).open()
    database.exec(`
      insert into names values (1, '"friends"');
      insert into edges
      with recursive number (value) as (select 1 union all select value + 1 from number limit 20000)
      select value, 1, 0, 999999999, null from number;`)
    const child = spawnCli(['--import', 'tsx'], ['check', 'store', `sqlite:${path}`, '--repair', '--remove'])
    const ended = new Promise(resolve => child.once('close', resolve))
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', text => {
      printed += text
      if (printed.includes('repair: adds')) child.kill('SIGINT')
    })
    expect(await ended).toBe(130)
    expect(printed).not.toContain('repair: made')
    const count = () => database.prepare('select count(*) from edges').pluck().get()
    expect(count()).toBeGreaterThan(0)
    expect(database.prepare('pragma integrity_check').pluck().get()).toBe('ok')
    database.close()
  })
})

describe('names in the output of the command line', () => {
  it('cannot control the terminal', async () => {
    mkdirSync(join(folder.path, 'names'), { recursive: true })
    const path = join(folder.path, 'names/graph.db')
    const database = new Database(path)
    const store = createSqliteStore(database)
    store.open()
    const names = [
      '\u001b[31m"red"\u0007',
      '\u202eltr',
      '\r\nchecked',
      'a\u0000b',
      "it's \u009b2J",
      '\ud83d\ude00',
      'x'.repeat(500),
    ]
    const put = (id: string, type: string) => ({ op: 'putNode', node: { id, type, fields: {} } }) as const
    await store.write([put('1', 'a'), put('2', 'b')], { signal: undefined })
    for (const [index, name] of names.entries())
      database.exec(
        `insert into names values (${index + 1}, '${JSON.stringify(name).replaceAll("'", "''")}');
        insert into edges values (1, ${index + 1}, 0, 99, null)`,
      )
    database.close()
    const { lines } = await runCli(['check', 'store', `sqlite:${path}`])
    const text = lines.join('\n')
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u)
    expect(lines.filter(line => line.startsWith('dangling edge: 1 "'))).toHaveLength(names.length)
    expect(text).toContain('1 "\\u001b[31m\\"red\\"\\u0007" 99')
    expect(text).toContain('\ud83d\ude00')
    expect(Math.max(...lines.map(line => line.length))).toBeLessThan(200)
  })
})
