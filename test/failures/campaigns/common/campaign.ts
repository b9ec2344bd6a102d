import { parseArgs } from 'node:util'
import { isolateTemporaryFiles } from '../../../helpers/temporary-files.ts'
import { createRandom, type Random } from './random.ts'

/** Reports that a store has not kept a promise. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw'
}

/** Asserts that a store keeps a promise. */
export const assertLaw: (holds: boolean, law: string) => asserts holds = (holds, law) => {
  if (!holds) throw new BrokenLaw(law)
}

const SHOWN_COUNT = 5

/** Asserts that nothing was found that a store must not do. The message has the first findings. */
export const assertNothingWrong = (findings: readonly string[]): void =>
  assertLaw(findings.length === 0, findings.slice(0, SHOWN_COUNT).join('\n'))

/** The arguments of a program, and its random numbers. */
export type Campaign<TSetting extends string = never> = {
  readonly seed: number
  readonly random: Random
  /** Whether the campaign has had enough events: `--count` if it is given, otherwise after `--seconds`. */
  isOver(eventCount: number): boolean
  /** Whether the campaign has the given size, so that its figures must reach a minimum. */
  readonly isFullSize: boolean
  /** Returns the text of another option. */
  setting(name: TSetting): string
}

/** Names and numbers to print. */
export type Figures = { readonly [name: string]: number | string }

export const printFigures = (figures: Figures): void => {
  for (const [name, value] of Object.entries(figures)) console.log(`${name}: ${value}`)
}

const parseNumber = (name: string, text: string): number => {
  const value = Number(text)
  if (text !== '' && Number.isFinite(value) && value >= 0) return value
  throw new Error(`--${name} must be a number; received ${JSON.stringify(text)}`)
}

const createCampaign = <TSetting extends string>(
  defaults: { readonly [name in TSetting]: string },
): Campaign<TSetting> => {
  const texts = { seconds: '60', count: '', seed: '1', ...defaults }
  const { values } = parseArgs({
    options: Object.fromEntries(
      Object.entries(texts).map(([name, text]) => [name, { type: 'string' as const, default: `${text}` }]),
    ),
  })
  const textOf = (name: string): string => `${values[name] ?? ''}`
  const seconds = parseNumber('seconds', textOf('seconds'))
  const count = textOf('count') === '' ? undefined : parseNumber('count', textOf('count'))
  const seed = parseNumber('seed', textOf('seed'))
  /** The time begins with the first event, not while servers start. */
  let start: number | undefined
  const isTimeOver = (): boolean => {
    start ??= performance.now()
    return performance.now() - start >= 1000 * seconds
  }
  return {
    seed,
    random: createRandom(seed),
    isOver: eventCount => (count === undefined ? isTimeOver() : eventCount >= count),
    isFullSize: count !== undefined,
    setting: textOf,
  }
}

/**
 * Runs a program with the options `--seconds`, `--count`, `--seed` and those of `defaults`. Prints the
 * figures that it returns. If the store broke a promise, prints which one, and ends with exit code 1.
 */
export const runCampaign = async <TSetting extends string = never>(
  defaults: { readonly [name in TSetting]: string },
  run: (campaign: Campaign<TSetting>) => Promise<Figures>,
): Promise<void> => {
  isolateTemporaryFiles()
  const start = performance.now()
  try {
    printFigures(await run(createCampaign(defaults)))
    console.log(`All laws held, in ${Math.round((performance.now() - start) / 1000)} s.`)
  } catch (error) {
    if (error instanceof BrokenLaw) console.error(`A law is broken: ${error.message}`)
    else console.error(error)
    // Other writers may still run.
    process.exit(1)
  }
}
