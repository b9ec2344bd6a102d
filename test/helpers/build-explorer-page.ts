/**
 * The global setup of the browser tests: builds the page of the Explorer, so that they do not test an older
 * one.
 */
export const setup = async (): Promise<void> => {
  await import('../../scripts/build-explorer.ts')
}
