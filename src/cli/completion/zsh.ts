import type { CommandNode } from './command-nodes.js'

/** The completion script for zsh. */
export const zsh = (nodes: CommandNode[]): string => `#compdef dashboard-api
_dashboard_api() {
  local cmd='' word before="\${words[CURRENT-1]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$cmd $word" in
      ${nodes
        .filter(({ path }) => path)
        .map(({ path }) => `' ${path}'`)
        .join('|')}) cmd="$cmd $word" ;;
    esac
  done
  case "$cmd:$before" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  local -a found
  case "$cmd" in
${nodes.map(commandCase).join('\n')}
  esac
  _describe 'dashboard-api' found
}
if [ "$funcstack[1]" = '_dashboard_api' ]; then
  _dashboard_api "$@"
else
  compdef _dashboard_api dashboard-api
fi
`

const valueCases = ({ path, options }: CommandNode): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ names, choices, takesFile }) => {
      const patterns = names.map((name) => `'${cmdValue(path)}:${name}'`).join('|')
      const values = choices.length > 0 ? `compadd -- ${choices.join(' ')}; ` : ''
      return `    ${patterns}) ${takesFile ? '_files; ' : values}return ;;`
    })

const commandCase = ({ path, commands, options, choices, takesFile }: CommandNode): string => {
  const described = [...commands, ...choices.map((name) => ({ name, description: '' })), ...options]
  const found = described.map(({ name, description }) => `'${name}:${description}'`).join(' ')
  return `    '${cmdValue(path)}') found=(${found})${takesFile ? '; _files' : ''} ;;`
}

/** The value of `$cmd` in the script after the words of a command. */
const cmdValue = (path: string) => (path ? ` ${path}` : '')
