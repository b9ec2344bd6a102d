import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The path at which Debian installs Chromium. */
const PATH = '/usr/bin/chromium'

/** Whether Chromium is installed. If not, prints which tests are skipped. In CI, throws instead. */
export const hasChromium = (about: string): boolean => {
  const exists = existsSync(PATH)
  if (!exists && process.env.CI) throw new Error(`${PATH} does not exist: ${about}`)
  if (!exists) process.stderr.write(`\n*** SKIPPED because ${PATH} does not exist: ${about} ***\n\n`)
  return exists
}

/** Starts a browser, with further arguments of its command line. Root may start it only without its sandbox. */
export const launchChromium = (args: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: PATH,
    args: [...args, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
  })
