import { canShowProgress } from './output.js'

/** How far some work is. */
export type Progress = {
  /** How much is done. */
  done: number
  /** How much there is to do, where that is known. */
  total?: number
  /** What is counted, in the plural. */
  unit: string
  /** How long it took so far, in milliseconds. */
  elapsedMs: number
}

export type Estimate = { perSecond: number; secondsLeft: number | undefined }

/** The rate so far, and at that rate the time that is left. */
export function estimate({ done, total, elapsedMs }: Omit<Progress, 'unit'>): Estimate {
  const perSecond = elapsedMs > 0 ? (done * 1000) / elapsedMs : 0
  const isKnown = total !== undefined && perSecond > 0
  return { perSecond, secondsLeft: isKnown ? Math.max(0, total - done) / perSecond : undefined }
}

export type ProgressReporter = {
  /** Says how much is done by now. */
  report(done: number): void
  /** Takes the view off the terminal. */
  stop(): Promise<void>
}

/** What is over sooner needs no view, and Ink is not loaded for it. */
const patienceMs = 300

/**
 * Shows on a terminal how far some work is, on standard error, for as long as it goes on; nowhere else anything.
 * @param total left out: nobody knows, and a spinner is shown
 */
export function showProgress(unit: string, total?: number): ProgressReporter {
  if (!canShowProgress()) return { report() {}, async stop() {} }
  const started = performance.now()
  let done = 0
  let isOver = false
  let clear = () => {}

  const draw = async () => {
    const [{ render }, { createElement }, { ProgressLine }] = await Promise.all([
      import('ink'),
      import('react'),
      import('../terminal/views/progress-line.js'),
    ])
    if (isOver) return
    const line = () =>
      createElement(ProgressLine, { done, total, unit, elapsedMs: performance.now() - started })
    const ink = render(line(), { stdout: process.stderr, patchConsole: false, exitOnCtrlC: false })
    const ticking = setInterval(() => ink.rerender(line()), 100)
    clear = () => {
      clearInterval(ticking)
      ink.clear()
      ink.unmount()
    }
  }
  let drawing: Promise<void> | undefined
  const patience = setTimeout(() => {
    drawing = draw()
  }, patienceMs)

  return {
    report(now) {
      done = now
    },
    async stop() {
      isOver = true
      clearTimeout(patience)
      await drawing
      clear()
    },
  }
}
