import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createApp } from '../../dist/server/app.js'
import { readSettings } from '../../dist/server/settings/settings.js'
import { checkOpenFile } from '../../dist/store/sqlite/check-file.js'
import { makeDatabase, projectOf, secret, signedCookies } from '../speed/dataset.js'
import { openDatabase } from './stored.js'
import { withFolder } from './with-folder.js'

const teams = 3
const pageBytes = 4096
const createdName = 'After the damage'
const createdProject = new RegExp(`\\{[^{}]*"${createdName}"[^{}]*\\},?`)

/** What is done to a page. */
const pageDamages = {
  zeros: (page) => page.fill(0),
  noise(page, random) {
    for (let i = 0; i < pageBytes; i += 1) page[i] = random.below(256)
  },
  'another page': (page, random, base) => page.set(base.subarray(...pageOf(base, random))),
  'zeros in a half': (page) => page.fill(0, pageBytes / 2),
}
const pageOf = (base, random) => {
  const from = random.below(base.length / pageBytes) * pageBytes
  return [from, from + pageBytes]
}

/** Changes one byte of a file, or one page. @returns the file with the fault, and what was done */
function damage(base, random) {
  const bytes = Buffer.from(base)
  let done
  if (random.chance(0.5)) {
    const at = random.below(bytes.length)
    bytes[at] ^= 1 + random.below(255)
    done = `byte ${at}`
  } else {
    const [from, until] = pageOf(base, random)
    const kind = random.pick(Object.keys(pageDamages))
    pageDamages[kind](bytes.subarray(from, until), random, base)
    done = `${kind} in page ${from / pageBytes}`
  }
  // A page that is another, or was empty.
  return bytes.equals(base) ? damage(base, random) : { bytes, done }
}

/**
 * Serves a file: reads everything, creates a project and updates one, and reads everything again.
 * @returns the responses by request; `refused`, why the file was not opened, and `isChanged`, whether that changed it
 */
async function serve(file, options) {
  const before = readFileSync(file)
  let store
  try {
    store = await openDatabase(file, { mustExist: true, ...options })
  } catch (error) {
    return { refused: error.message, isChanged: !readFileSync(file).equals(before) }
  }
  const { app } = createApp({
    ...readSettings({
      DASHBOARD_API_SESSION_SECRET: secret,
      DASHBOARD_API_WAITLIST_RATE: 'off',
      DASHBOARD_API_LOG_LEVEL: 'silent',
    }),
    store,
    sessionIdle: Number.MAX_SAFE_INTEGER,
    now: () => new Date(),
    newId: randomUUID,
  })
  const responses = {}
  const cookies = signedCookies(teams)
  const send = async (title, request) => {
    const { statusCode: status, body } = await app.inject(request)
    responses[title] = { status, body: body.replace(createdProject, '') }
  }
  const readAll = async (when) => {
    for (const [team, cookie] of cookies.entries())
      for (const url of ['/v1/projects', '/v1/auth/me'])
        await send(`${url} of team ${team} ${when}`, { url, headers: { cookie } })
  }
  await readAll('before writes')
  const readBytes = readFileSync(file)
  const { id } = projectOf(1, 3)
  const write = { headers: { cookie: cookies[1] }, payload: { status: 'done' } }
  await send('an update', { method: 'PATCH', url: `/v1/projects/${id}`, ...write })
  await send('a creation', { method: 'POST', url: '/v1/projects', ...write, payload: { name: createdName } })
  await readAll('after writes')
  await app.close()
  await store.close()
  return { responses, isChanged: !readBytes.equals(before) }
}

/** Refused: the session is not valid or lacks a permission, the team has no room, or the service cannot respond. */
const isRefused = ({ status }) => [401, 403, 422].includes(status) || status >= 500

/** The requests with another response than they should have; those that are refused are not among them. */
const wrongResponses = (responses, expected) =>
  Object.keys(expected).filter(
    (title) => !isRefused(responses[title]) && responses[title].body !== expected[title].body,
  )

/** Whether two responses differ in texts that no index has, and in nothing else. */
function differsInText(a, b) {
  const fields =
    /"(name|description|status|givenName|familyName|picture|email|permissions)":("(?:[^"\\]|\\.)*"|null|\[[^\]]*\])/g
  const without = (body) => body.replace(fields, '')
  return without(a) === without(b)
}

/** @param checksFully whether the file is checked fully when it is opened, as the service does */
const damageFiles = ({ rounds, random, checksFully = true }) =>
  withFolder(async ({ folder }) => {
    const options = { checkFully: checksFully }
    const [whole, file] = ['whole.db', 'damaged.db'].map((name) => join(folder, name))
    await makeDatabase(whole, { teams, projects: 60 })
    const base = readFileSync(whole)
    writeFileSync(file, base)
    const { responses: expected } = await serve(file, options)
    const counts = { files: rounds, refused: 0, failed: 0, right: 0, text: 0, wrong: 0, faults: [] }
    for (let i = 1; i <= rounds; i += 1) {
      const { bytes, done } = damage(base, random)
      for (const end of ['-wal', '-shm']) rmSync(`${file}${end}`, { force: true })
      writeFileSync(file, bytes)
      const isFound = await checkOpenFile(file, 1_000, { checkFully: true }).then(
        () => false,
        () => true,
      )
      const { refused, responses, isChanged } = await serve(file, options)
      if (isChanged) counts.faults.push(`${done}: the file was changed by reading it`)
      const wrong = refused ? [] : wrongResponses(responses, expected)
      const others = wrong.filter(
        (title) => isFound || !differsInText(responses[title].body, expected[title].body),
      )
      if (refused) counts.refused += 1
      else if (others.length > 0) {
        counts.wrong += 1
        counts.faults.push(`${done}: ${others[0]} is wrong`)
      } else if (wrong.length > 0) counts.text += 1
      else if (Object.values(responses).some(isRefused)) counts.failed += 1
      else counts.right += 1
    }
    return counts
  })

export const damagedFile = {
  name: 'damaged-file',
  promise:
    'A damaged SQLite file is served rightly or refused, and not changed further. A letter of a text that no index has, such as a description or a permission, is beyond this: SQLite stores no checksums.',
  fault:
    'One byte of the file changed, or a page filled with zeros, with noise, with another page or half with zeros; then everything is read, a project created and one updated, and everything read again',
  target: '0 wrong, except letters of a text',
  rounds: 1_000,
  quickRounds: 100,
  make: damageFiles,
  none: { wrong: 'served wrongly' },
  some: { files: 'files', refused: 'refused at the start', right: 'served rightly' },
  controls: [{ fault: '`quick_check` alone', rounds: 300, checksFully: false, caught: ['wrong'] }],
}
