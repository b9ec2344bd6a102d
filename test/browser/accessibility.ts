import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the serious accessibility problems that axe finds. */
export const findProblems = async (page: Page, options: object): Promise<unknown> => {
  await page.evaluate(axe)
  return page.evaluate(`axe.run(${JSON.stringify(options)}).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, ...nodes.map(({ html, failureSummary }) => html + failureSummary)]))`)
}

/** The options of a small phone. */
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const
