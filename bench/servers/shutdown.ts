/** The clean-up of a row, which runs when it ends or is interrupted, in reverse order. */
export class Shutdown {
  readonly #steps: (() => unknown)[] = []

  add(step: () => unknown): void {
    this.#steps.push(step)
  }

  async run(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) await step()
  }
}
