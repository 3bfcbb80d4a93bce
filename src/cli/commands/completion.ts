import { Argument, type Command } from 'commander'
import { bash } from '../completion/bash.js'
import { fish } from '../completion/fish.js'
import { nodesOf } from '../completion/nodes.js'
import { zsh } from '../completion/zsh.js'
import { writeData } from '../output/output.js'
import { examples } from './options.js'

const about = `
To have it in every shell:
  bash   echo 'eval "$(dashboard-api completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(dashboard-api completion zsh)"' >> ~/.zshrc     (after compinit)
  fish   dashboard-api completion fish > ~/.config/fish/completions/dashboard-api.fish
`

const scripts = { bash, zsh, fish }

export const completion = (program: Command) =>
  program
    .command('completion')
    .description('Print a script that lets a shell complete commands, options and their values.')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(scripts)))
    .addHelpText('after', about)
    .addHelpText('after', examples('npx dashboard-api completion bash'))
    .action((shell: keyof typeof scripts, _options, { parent }: Command) => {
      if (parent) writeData(scripts[shell](nodesOf(parent)))
    })
