import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'

const isLong = process.env.KITHGRAPH_LONG !== undefined

/** Options of tests that run programs. In short runs, the programs mostly wait for their processes. */
export const CAMPAIGN_TESTS = { concurrent: !isLong, timeout: isLong ? 3_600_000 : 120_000 }

const ROOT = join(import.meta.dirname, '../..')

/**
 * Runs a program of `test/failures/campaigns` in its own process, and expects that all of its laws hold. In
 * long runs, prints its figures.
 */
export const runCampaign = async (name: string, ...args: readonly string[]): Promise<void> => {
  const path = `test/failures/campaigns/${name}.ts`
  const child = spawn(process.execPath, ['--import', 'tsx', path, ...args], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  child.stdout.on('data', data => output.push(data))
  child.stderr.on('data', data => output.push(data))
  const [code] = await once(child, 'close')
  const text = Buffer.concat(output).toString()
  if (isLong) console.info(`${name} ${args.join(' ')}\n${text}`)
  expect(code, `npx tsx ${path} ${args.join(' ')}\n${text}`).toBe(0)
}

/** Returns the arguments for full size in long runs, and for a short time otherwise. */
export const campaignSize = (fullCount: number, seconds = 1): readonly string[] =>
  isLong ? ['--count', `${fullCount}`] : ['--seconds', `${seconds}`]
