import { Argument, type Command } from 'commander'
import { addCommand } from './define-command.js'

const about = `
To enable it in every new shell:
  bash   echo 'eval "$(dashboard-api completion bash)"' >> ~/.bashrc   (needs the package bash-completion)
  zsh    echo 'eval "$(dashboard-api completion zsh)"' >> ~/.zshrc     (after compinit)
  fish   dashboard-api completion fish > ~/.config/fish/completions/dashboard-api.fish`

export const define = (completion: Command) =>
  addCommand(completion, '<shell>', {
    about: 'Print a script that completes commands, options and their values in a shell.',
    args: [new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish', 'powershell'])],
    notes: about,
    examples: ['bash'],
    async run({ shell }) {
      const { script } = await import('@bomb.sh/tab')
      script(shell, 'dashboard-api', 'dashboard-api')
      return undefined
    },
  })
