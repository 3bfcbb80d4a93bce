import { Argument, type Command } from 'commander'
import { examples } from './options.js'
import { writeData } from './output/output.js'
import { completionScript } from './package.js'

const about = `
To enable it in every new shell:
  bash   echo 'eval "$(dashboard-api completion bash)"' >> ~/.bashrc
  zsh    echo 'eval "$(dashboard-api completion zsh)"' >> ~/.zshrc     (after compinit)
  fish   dashboard-api completion fish > ~/.config/fish/completions/dashboard-api.fish`

export const define = (completion: Command) =>
  completion
    .description('Print a script that completes commands, options and their values in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', about)
    .addHelpText('after', examples('npx dashboard-api completion bash'))
    .action((shell) => writeData(completionScript(shell)))
