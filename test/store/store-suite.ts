import { afterEach, beforeEach, describe } from 'vitest'
import type { Store } from '../../src/store/store.js'
import { testConcurrency } from './store-suite/concurrency.js'
import { testCopies } from './store-suite/copies.js'
import { testLoadAndExport } from './store-suite/load-and-export.js'
import { testProjects } from './store-suite/projects.js'
import { testRemovals } from './store-suite/removals.js'
import { testSessions } from './store-suite/sessions.js'
import { testTeams } from './store-suite/teams.js'
import { testTexts } from './store-suite/texts.js'
import { testUsers } from './store-suite/users.js'
import { testWaitlist } from './store-suite/waitlist.js'

const subjects = {
  teams: testTeams,
  projects: testProjects,
  waitlist: testWaitlist,
  users: testUsers,
  sessions: testSessions,
  removals: testRemovals,
  'load and export': testLoadAndExport,
  copies: testCopies,
  concurrency: testConcurrency,
  'order and text': testTexts,
}

/**
 * Tests everything that `Store` promises.
 * @param open returns an empty store; the suite closes it
 */
export function testStore(name: string, open: () => Promise<Store>): void {
  describe.each(Object.entries(subjects))(`${name} store: %s`, (_, testSubject) => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())
    testSubject(() => store)
  })
}
