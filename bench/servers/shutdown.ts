/** What has to be undone when a row is done, or was interrupted: the last first. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []

  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await step()
  }
}
