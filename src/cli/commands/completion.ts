import { Argument, type Command } from 'commander'
import type { Shell } from '../actions/completion.js'
import { writeData } from '../output.js'
import { examples } from './options.js'

const about = `
To have it in every shell:
  bash   echo 'eval "$(dashboard-api completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(dashboard-api completion zsh)"' >> ~/.zshrc     (after compinit)
  fish   dashboard-api completion fish > ~/.config/fish/completions/dashboard-api.fish
`

const shells: Shell[] = ['bash', 'zsh', 'fish']

export const completion = (program: Command) =>
  program
    .command('completion')
    .description('Print a script that lets a shell complete commands, options and their values.')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .addHelpText('after', about)
    .addHelpText('after', examples('npx dashboard-api completion bash'))
    .action(async (shell: Shell) => {
      const { completionScript } = await import('../actions/completion.js')
      writeData(completionScript(shell))
    })
