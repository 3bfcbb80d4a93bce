// Runs before `npm publish`. A registry's page resolves the relative links of README.md against the repository of
// package.json: without one they would lead nowhere.
import { readFileSync } from 'node:fs'

const { repository } = JSON.parse(readFileSync('package.json', 'utf8'))
const links = [...readFileSync('README.md', 'utf8').matchAll(/\]\((?!https?:|#)([^)\s]+)\)/g)].map(
  ([, link]) => link,
)

const address = typeof repository === 'string' ? repository : repository?.url

if (!address && links.length > 0) {
  console.error(
    `package.json names no repository, so ${links.length} links of README.md would be broken on the registry's page, ` +
      `${links[0]} for one. Set it with: npm pkg set repository=URL`,
  )
  process.exitCode = 1
}
