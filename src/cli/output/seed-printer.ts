import type { GeneratedReport } from '../production/seed-generated.js'
import { Interrupted } from '../signals.js'
import { printJson, printLine } from './output.js'
import { pluralize } from './pluralize.js'
import { estimate, type ProgressReporter, showProgress } from './progress.js'

/** The output of `seed`: JSON lines, or a progress bar and a final line. */
export type SeedPrinter = {
  progress(done: number, total: number): void
  end(report: GeneratedReport): void
  /** Clears the progress bar; with `--json`, reports an interruption. */
  stop(error?: unknown): void
}

export const seedPrinter = (json = false): SeedPrinter => (json ? jsonLines() : progressBar())

/** Between two lines of progress. */
const intervalMs = 1000

function jsonLines(): SeedPrinter {
  const started = performance.now()
  let printedAt = Number.NEGATIVE_INFINITY
  let last = { done: 0, total: 0 }
  return {
    progress(done, total) {
      last = { done, total }
      const now = performance.now()
      if (now - printedAt < intervalMs) return
      printedAt = now
      const { perSecond, secondsLeft = 0 } = estimate({ ...last, elapsedMs: now - started })
      const rounded = { perSecond: Math.round(perSecond), secondsLeft: Math.ceil(secondsLeft) }
      printJson({ event: 'progress', done, total, ...rounded })
    },
    end: (report) => printJson({ event: 'done', ...report }),
    stop(error) {
      if (error instanceof Interrupted) printJson({ event: 'interrupted', ...last })
    },
  }
}

function progressBar(): SeedPrinter {
  let bar: ProgressReporter | undefined
  return {
    progress(done, total) {
      bar ??= showProgress('records', total)
      bar.report(done)
    },
    end({ database, seed, created, existing, seconds }) {
      const counts = [
        pluralize(created.teams, 'team'),
        pluralize(created.users, 'user'),
        pluralize(created.projects, 'project'),
      ].join(', ')
      const known = pluralize(existing.teams + existing.users + existing.projects, 'record')
      printLine(
        `Seeded ${database} with seed ${seed} in ${seconds} s: created ${counts}; ${known} existed already.`,
      )
    },
    stop: () => bar?.stop(),
  }
}
