import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maskUrl } from '../../src/cli/safe-text.ts'
import { runCli } from '../helpers/run-cli.ts'
import { createTemporaryFolder } from '../helpers/sqlite-databases.ts'

describe('the mask of credentials in messages', () => {
  it.each([
    ['a password', 'postgres://ada:hush@host', 'wrong: hush', 'wrong: …'],
    ['an encoded password, decoded', 'postgres://ada:hush%2Fhush@host', 'wrong: hush/hush', 'wrong: …'],
    ['a user name', 'postgres://ada:hush@host', 'no role "ada" exists', 'no role "…" exists'],
    [
      'a whole URL',
      'redis://ada:hush@host',
      'no server: redis://ada:hush@host',
      'no server: redis://…:…@host',
    ],
    [
      'an encoded user name, decoded',
      'redis://a%2Bb:hush@host',
      'User a+b has no access',
      'User … has no access',
    ],
    ['parameters', 'postgres://host/db?user=ada&password=hush', 'ada: hush', '…: …'],
    ['a password that is in a user name', 'redis://ada-hush:hush@host', 'ada-hush', '…'],
  ])('removes %s', (_, url, message, masked) => {
    expect(maskUrl(message, url)).toBe(masked)
  })

  it.each([
    ['a part of a word', 'redis://e:hush@host', 'the file does not exist'],
    ['a part of a word with other letters', 'redis://caf:hush@host', 'no café'],
    ['the name of a scheme', 'mysql://postgres:hush@host', 'must begin with sqlite:, postgres:, redis:'],
  ])('keeps a user name that is %s', (_, url, message) => {
    expect(maskUrl(message, url)).toBe(message)
  })
})

describe('the command line, if a text in the store cannot be parsed', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  beforeAll(() => {
    folder = createTemporaryFolder()
  })
  afterAll(() => folder.remove())

  it('fails without a part of this text', async () => {
    const packageFolder = join(folder.path, 'node_modules/better-sqlite3')
    mkdirSync(packageFolder, { recursive: true })
    const driver = 'module.exports = class Database { constructor() { JSON.parse("PASSWORD=hunter2") } }'
    writeFileSync(join(packageFolder, 'index.js'), driver)
    writeFileSync(join(folder.path, 'graph.db'), '')
    expect(await runCli(['check', 'store', 'sqlite:graph.db'], { folder: folder.path })).toEqual({
      status: 2,
      lines: [],
      errors: [
        'kithgraph: the store in the file graph.db cannot be opened: a text in the store cannot be parsed',
      ],
    })
  })
})
