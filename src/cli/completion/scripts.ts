import type { Command } from 'commander'
import { bash } from './bash.js'
import { commandNodes } from './command-nodes.js'
import { fish } from './fish.js'
import { zsh } from './zsh.js'

/** The completion script for each shell. The build writes them: they need every command to be loaded. */
export function completionScripts(program: Command): { bash: string; zsh: string; fish: string } {
  const nodes = commandNodes(program)
  return { bash: bash(nodes), zsh: zsh(nodes), fish: fish(nodes) }
}
