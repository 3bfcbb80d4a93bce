import type { GeneratedReport } from '../actions/seed-generated.js'
import { Interrupted } from '../interrupt.js'
import { printJson, printLine } from './output.js'
import { pluralize } from './pluralize.js'
import { estimate, type ProgressReporter, showProgress } from './progress.js'

/** How seeding shows what it does: as JSON lines, or with a bar on a terminal and a line at the end. */
export type SeedPrinter = {
  progress(done: number, total: number): void
  end(report: GeneratedReport): void
  /** Takes what is drawn off the terminal; tells of what ended it too early. */
  stop(error?: unknown): Promise<void>
}

export const seedPrinter = (json = false): SeedPrinter => (json ? jsonLines() : plainLine())

/** More than one line a second tells nobody more. */
const betweenLinesMs = 1000

function jsonLines(): SeedPrinter {
  const started = performance.now()
  let printed = Number.NEGATIVE_INFINITY
  let last = { done: 0, total: 0 }
  return {
    progress(done, total) {
      last = { done, total }
      const now = performance.now()
      if (now - printed < betweenLinesMs) return
      printed = now
      const { perSecond, secondsLeft = 0 } = estimate({ done, total, elapsedMs: now - started })
      const rounded = { perSecond: Math.round(perSecond), secondsLeft: Math.ceil(secondsLeft) }
      printJson({ event: 'progress', done, total, ...rounded })
    },
    end: (report) => printJson({ event: 'done', ...report }),
    async stop(error) {
      if (error instanceof Interrupted) printJson({ event: 'interrupted', ...last })
    },
  }
}

function plainLine(): SeedPrinter {
  let bar: ProgressReporter | undefined
  return {
    progress(done, total) {
      bar ??= showProgress('records', total)
      bar.report(done)
    },
    end({ database, seed, created, existing, seconds }) {
      const { teams, users, projects } = created
      const known = existing.teams + existing.users + existing.projects
      const made = [pluralize(teams, 'team'), pluralize(users, 'user'), pluralize(projects, 'project')].join(
        ', ',
      )
      const there = pluralize(known, 'record was', 'records were')
      printLine(
        `Seeded ${database} with seed ${seed} in ${seconds} s: created ${made}; ${there} there already.`,
      )
    },
    async stop() {
      await bar?.stop()
    },
  }
}
