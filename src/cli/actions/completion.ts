import { bash } from '../completion/bash.js'
import { fish } from '../completion/fish.js'
import { nodesOf } from '../completion/nodes.js'
import { zsh } from '../completion/zsh.js'
import { createProgram } from '../program.js'

const scripts = { bash, zsh, fish }

export type Shell = keyof typeof scripts

/** The script that completes the command line in a shell. */
export const completionScript = (shell: Shell): string => scripts[shell](nodesOf(createProgram()))
