/** What the test runner calls before the tests in a browser, lest they be of an older page. */
export const setup = async (): Promise<void> => {
  await import('../../scripts/build-explorer.ts')
}
