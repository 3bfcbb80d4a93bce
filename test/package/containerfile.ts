import { readFileSync } from 'node:fs'

/** The instructions of a stage in order, each with its text. */
type Instructions = { instruction: string; text: string }[]

/** The Containerfile: the stage of the dependencies, the image, and the commands of the image. */
export function readContainerfile() {
  const stages = new Map<string, Instructions>()
  let stage: Instructions = []
  for (const line of readFileSync('Containerfile', 'utf8').split('\n')) {
    const [, instruction = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (instruction === 'FROM') {
      stage = []
      stages.set(/ AS (\w+)$/.exec(text)?.[1] ?? 'image', stage)
    } else if (instruction) stage.push({ instruction, text })
  }
  const [dependencies, image] = [stages.get('dependencies'), stages.get('image')]
  if (!dependencies || !image) throw new Error('the Containerfile has other stages')
  const command = (instruction: string): string[] =>
    JSON.parse(/\[.*\]$/.exec(textsOf(image, instruction)[0] ?? '')?.[0] ?? '[]')
  return {
    dependencies,
    image,
    /** The command of a container. */
    start: [...command('ENTRYPOINT'), ...command('CMD')],
    healthCheck: command('HEALTHCHECK'),
  }
}

/** The texts of all instructions of a kind in a stage. */
export const textsOf = (stage: Instructions, wanted: string): string[] =>
  stage.filter(({ instruction }) => instruction === wanted).map(({ text }) => text)

/** The sources, the target and the stage of a COPY. */
export function parseCopy(text: string): { from: string | undefined; sources: string[]; target: string } {
  const [, from, rest = text] = /^--from=(\w+) (.*)$/.exec(text) ?? []
  const paths = rest.split(' ')
  return { from, sources: paths.slice(0, -1), target: paths.at(-1) ?? '' }
}
