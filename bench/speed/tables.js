// Tables of the report: subjects at several kinds of work, over several numbers of connections.
import { compareRunning, withServers } from './compare.js'
import { each } from './files.js'
import { titles } from './work.js'

/**
 * Compares subjects at each kind of work in turn. They run on meanwhile, so that what was asked before has warmed them.
 * @param kinds each with its `work` and `connections`
 * @param options.of whose 20 projects are asked for, where there are more than those of one team
 * @returns tables; a table's `id` is its work and its connections, `list-50`
 */
export const inTables = (subjects, kinds, { rounds, ms, of = '20 projects' }) =>
  withServers(subjects, (running) =>
    each(kinds, async ({ work, connections }) => ({
      id: `${work}-${connections}`,
      what: `${titles[work]}${work === 'waitlist' ? '' : `, ${of}`}, connections: ${connections}`,
      rows: await compareRunning(running, { work, connections, rounds, ms }),
    })),
  )
