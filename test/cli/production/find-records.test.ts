import { expect, test } from 'vitest'
import { filterWaitlist } from '../../../src/cli/production/find-records.js'
import { emptyState } from '../../../src/store/state-file.js'
import { folderForEachTest } from '../../store/sqlite/sqlite-folder.js'

const folder = folderForEachTest()

const entry = (email: string, minute: number) => ({
  email,
  createdAt: new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString(),
})

test('an export includes an entry added meanwhile only if it is older than the pages that were read', async () => {
  const store = await folder.openStore()
  const load = (...waitlist: ReturnType<typeof entry>[]) => store.load({ ...emptyState(), waitlist })
  await load(...Array.from({ length: 1001 }, (_, i) => entry(`${i}@example.com`, i)))
  const emails: string[] = []
  for await (const { email } of filterWaitlist(store, {}).entries) {
    emails.push(email)
    if (emails.length === 1) await load(entry('sign-up@example.com', 2000), entry('import@example.com', -1))
  }
  expect(emails).toHaveLength(1002)
  expect(emails.at(-1)).toBe('import@example.com')
  expect(emails).not.toContain('sign-up@example.com')
})
