import type { CommandNode } from './command-nodes.js'

/** The completion script for bash 3.2 and later. */
export const bash = (nodes: CommandNode[]): string => `# bash completion for dashboard-api
_dashboard_api() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" cmd='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$cmd \${COMP_WORDS[i]}" in
      ${nodes
        .filter(({ path }) => path)
        .map(({ path }) => `' ${path}'`)
        .join('|')}) cmd="$cmd \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$cmd:$before" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  case "$cmd" in
${nodes.map(commandCase).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _dashboard_api dashboard-api
`

/** After an option that takes a value. */
const valueCases = ({ path, options }: CommandNode): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ names, choices, takesFile }) => {
      const patterns = names.map((name) => `'${cmdValue(path)}:${name}'`).join('|')
      const values =
        choices.length > 0 ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); ` : ''
      return `    ${patterns}) ${takesFile ? files : values}return ;;`
    })

const files = 'COMPREPLY=($(compgen -f -- "$current")); '

const commandCase = ({ path, commands, options, choices, takesFile }: CommandNode): string => {
  const words = [...commands.map(({ name }) => name), ...choices, ...options.map(({ name }) => name)]
  const fileCase = takesFile ? ` [[ $current == -* ]] || { ${files}return; };` : ''
  return `    '${cmdValue(path)}')${fileCase} words='${words.join(' ')}' ;;`
}

/** The value of `$cmd` in the script after the words of a command. */
const cmdValue = (path: string) => (path ? ` ${path}` : '')
