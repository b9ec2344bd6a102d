/** The cleanup tasks of a row. They run in reverse order when the row ends or is interrupted. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []

  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await step()
  }
}
