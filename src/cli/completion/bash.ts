import type { Node } from './nodes.js'

/** The completion script for bash 3.2 and later. */
export const bash = (nodes: Node[]): string => `# bash completion for dashboard-api
_dashboard_api() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" place='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$place \${COMP_WORDS[i]}" in
      ${nodes
        .filter(({ path }) => path)
        .map(({ path }) => `' ${path}'`)
        .join('|')}) place="$place \${COMP_WORDS[i]}" ;;
    esac
  done
  COMPREPLY=()
  case "$place:$before" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  case "$place" in
${nodes.map(placeCase).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _dashboard_api dashboard-api
`

/** After an option that takes a value. */
const valueCases = ({ path, options }: Node): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ names, choices, takesFile }) => {
      const patterns = names.map((name) => `'${placeOf(path)}:${name}'`).join('|')
      const values =
        choices.length > 0 ? `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); ` : ''
      return `    ${patterns}) ${takesFile ? files : values}return ;;`
    })

const files = 'COMPREPLY=($(compgen -f -- "$current")); '

const placeCase = ({ path, commands, options, choices, takesFile }: Node): string => {
  const words = [...commands.map(({ name }) => name), ...choices, ...options.map(({ name }) => name)]
  const fileCase = takesFile ? ` [[ $current == -* ]] || { ${files}return; };` : ''
  return `    '${placeOf(path)}')${fileCase} words='${words.join(' ')}' ;;`
}

const placeOf = (path: string) => (path ? ` ${path}` : '')
