import { emptyFolder, listening, run, sessionSecret, start } from '../cli-process.js'

/** A database with the teams of the demo, by default a SQLite file, with functions that run commands and servers. */
export async function seededDatabase(database = `${emptyFolder()}/production.db`) {
  const env = { DASHBOARD_API_SESSION_SECRET: sessionSecret, DASHBOARD_API_DATABASE: database }
  const cli = (...args: string[]) => run(args, { env })
  const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).stdout)
  await cli('seed')
  return {
    database,
    cli,
    /** Runs a command, and returns the JSON that it prints. */
    json,
    /** Issues a session with both permissions. */
    issue: (user: string, organization: string): Promise<{ cookie: string; session: string }> => {
      const grant = ['--organization', organization, '--permissions', 'create:projects,update:projects']
      return json('session', 'issue', '--user', user, ...grant)
    },
    /** Starts production in a separate process. Returns a function that sends requests; with a body, it sends POST. */
    async serve() {
      const url = await listening(start(['serve', '--port', '0', '--json'], { env }))
      return (path: string, cookie: string, body?: unknown) =>
        fetch(url + path, {
          method: body ? 'POST' : 'GET',
          headers: { cookie: `session=${cookie}`, 'content-type': 'application/json' },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
    },
  }
}
