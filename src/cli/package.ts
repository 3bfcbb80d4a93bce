import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The root of the package; src/cli and dist/executable are equally deep in it. */
const root = new URL('../../', import.meta.url)

/** The version of the package. */
export const packageVersion = (): string =>
  JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).version

/** The commit that the program was built from, which the build inserts: see scripts/commit.js. */
export const packageCommit = (): string => process.env.SOURCE_COMMIT || 'unknown'

/** The demo fixture that comes with the package. */
export const demoFixture = (): string => fileURLToPath(new URL('fixtures/demo.json', root))

/** The folder of the packages of a global installation: of npm, on Windows too, of pnpm and of Yarn. */
const globalFolder = /[\\/](lib|npm|global([\\/]\d+)?)[\\/]node_modules[\\/]/

/** A text with the commands of a local installation, with those of the installation that runs. */
export const asInstalled = (text: string, folder = fileURLToPath(root)): string =>
  globalFolder.test(folder)
    ? text
        .replaceAll('npx dashboard-api', 'dashboard-api')
        .replaceAll('npm install ', 'npm install --global ')
    : text
