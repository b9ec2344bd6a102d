/** Builds the page of the Explorer before the browser tests, so that they never test an older build. */
export const setup = async (): Promise<void> => {
  await import('../../scripts/build-explorer.ts')
}
