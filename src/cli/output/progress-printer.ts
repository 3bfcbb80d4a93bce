import { Interrupted } from '../signals.js'
import { printJson } from './output.js'
import { estimate, type ProgressReporter, showProgress } from './progress.js'

/** The progress of work on many records: JSON lines, or a progress bar. */
export type ProgressPrinter = {
  /** @param step of work with several, each with a progress of its own */
  progress(done: number, total: number, step?: Step): void
  /** Clears the progress bar; with `--json`, reports an interruption. */
  stop(error?: unknown): void
}

/** @param unit what is counted, in the plural */
export type Step = { name: string; unit: string }

export const progressPrinter = (json = false): ProgressPrinter => (json ? jsonLines() : progressBar())

/** Between two lines of progress. */
const intervalMs = 1000

function jsonLines(): ProgressPrinter {
  let started = performance.now()
  let printedAt = Number.NEGATIVE_INFINITY
  let current: Step | undefined
  let last: { step?: string; done: number; total: number } = { done: 0, total: 0 }
  return {
    progress(done, total, step) {
      const now = performance.now()
      if (step && current && step !== current) {
        started = now
        printedAt = Number.NEGATIVE_INFINITY
      }
      current = step
      last = { ...(step && { step: step.name }), done, total }
      if (now - printedAt < intervalMs) return
      printedAt = now
      const { perSecond, secondsLeft = 0 } = estimate({ done, total, elapsedMs: now - started })
      const rounded = { perSecond: Math.round(perSecond), secondsLeft: Math.ceil(secondsLeft) }
      printJson({ event: 'progress', ...last, ...rounded })
    },
    stop(error) {
      if (error instanceof Interrupted) printJson({ event: 'interrupted', ...last })
    },
  }
}

function progressBar(): ProgressPrinter {
  let bar: ProgressReporter | undefined
  let current: Step | undefined
  return {
    progress(done, total, step) {
      if (step !== current) bar?.stop()
      if (!bar || step !== current) bar = showProgress(step?.unit ?? 'records', total)
      current = step
      bar.report(done)
    },
    stop: () => bar?.stop(),
  }
}
