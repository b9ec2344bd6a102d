import { type Awaitable, isPromiseLike } from '../base/awaitable.ts'
import type {
  EdgeSlice,
  ReadOptions,
  StoreReader,
  StoreSnapshot,
  Wave,
  WaveAnswer,
} from '../store/contract.ts'
import { isLong, joinedAnswer, joinedSlice, partsOf, sizeOf, stretchOf } from '../store/divided-read.ts'
import { assertTimely, settle } from '../store/settle.ts'
import { EMPTY } from './course.ts'
import type { Engine } from './engine.ts'
import { Pace } from './pace.ts'
import type { Reporter } from './reporter.ts'

/** Entries and keys that a call reads before it looks at the clock: those of most calls are fewer. */
const UNTIMED = 1000

/** Reads the store for one call: of the newest state or of one snapshot, in parts and with pauses if there is much to read. */
export class CallReader {
  readonly options: ReadOptions
  readonly #engine: Pick<Engine, 'store' | 'turns'>
  readonly #reporter: Reporter | undefined
  #reader: StoreReader
  /** Made when there is much to read. */
  #pace: Pace | undefined
  /** Entries and keys that were read without a look at the clock. */
  #untimed = 0

  constructor(engine: Pick<Engine, 'store' | 'turns'>, options: ReadOptions, reporter: Reporter | undefined) {
    this.options = options
    this.#engine = engine
    this.#reporter = reporter
    this.#reader = engine.store
  }

  read(wave: Wave): Awaitable<WaveAnswer> {
    const size = sizeOf(wave)
    this.#untimed += size
    return this.#untimed <= UNTIMED ? this.#readOne(wave) : this.#readPaced(wave, isLong(size))
  }

  /** Lets others run if the call has gone on for long. @throws GraphError `aborted`, `deadline`. */
  pause(): Awaitable<WaveAnswer> {
    if (!this.pace.isDue) return EMPTY
    return this.pace.pause().then(() => {
      assertTimely(this.options)
      return EMPTY
    })
  }

  /** Does all reads of `work` on one snapshot. */
  async onSnapshot<TResult>(work: () => Awaitable<TResult>): Promise<TResult> {
    const snapshot = await this.#takeSnapshot()
    this.#reader = snapshot
    try {
      return await work()
    } finally {
      await this.#close(snapshot)
    }
  }

  get pace(): Pace {
    this.#pace ??= new Pace(this.#engine.turns)
    return this.#pace
  }

  #readOne(wave: Wave): Awaitable<WaveAnswer> {
    if (this.#reporter === undefined) return this.#reader.read(wave, this.options)
    return this.#reporter.read(wave, () => this.#reader.read(wave, this.options))
  }

  async #readPaced(wave: Wave, isDivided: boolean): Promise<WaveAnswer> {
    this.#untimed = 0
    if (this.pace.isDue) await this.pace.pause()
    return isDivided ? this.#readParts(wave) : this.#readOne(wave)
  }

  /** To others, the parts are one read. */
  #readParts(wave: Wave): Promise<WaveAnswer> {
    const read = async (): Promise<WaveAnswer> => {
      const answers: WaveAnswer[] = []
      for (const part of partsOf(wave)) answers.push(await this.#readPart(part))
      return joinedAnswer(answers)
    }
    return this.#reporter === undefined ? read() : this.#reporter.read(wave, read)
  }

  async #readPart(part: Wave): Promise<WaveAnswer> {
    const first = stretchOf(part, undefined)
    if (first === undefined) return this.#readTimed(part)
    let slice: EdgeSlice | undefined
    for (let next: Wave | undefined = first; next !== undefined; next = stretchOf(part, slice)) {
      const [read] = (await this.#readTimed(next)).ranges
      if (read === undefined) break
      slice = joinedSlice(slice, read)
      if (read.entries.length === 0) break
    }
    return { ...EMPTY, ranges: slice === undefined ? [] : [slice] }
  }

  async #readTimed(part: Wave): Promise<WaveAnswer> {
    if (this.pace.isDue) await this.pace.pause()
    return this.#reader.read(part, this.options)
  }

  /** A snapshot that comes when nobody waits for it any more is closed at once. */
  async #takeSnapshot(): Promise<StoreSnapshot> {
    assertTimely(this.options)
    const taken = this.#engine.store.snapshot()
    if (!isPromiseLike(taken)) return taken
    try {
      return await settle(taken, this.options.signal, this.options.deadline)
    } catch (fault) {
      taken.then(late => late.close()).then(undefined, () => undefined)
      throw fault
    }
  }

  /** What a query was answered does not hang on how its snapshot closes. */
  async #close(snapshot: StoreSnapshot): Promise<void> {
    try {
      const closing = snapshot.close()
      if (isPromiseLike(closing)) await settle(closing, undefined, this.options.deadline)
    } catch {}
  }
}
