import { Component, type ComponentType, createElement } from 'preact'

/** A component that is drawn anew only if one of its properties is another one. */
export function memo<Props extends object>(view: ComponentType<Props>): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      const before = this.props as Record<string, unknown>
      return Object.entries(next).some(([name, value]) => name !== 'children' && before[name] !== value)
    }
    override render() {
      return createElement(view as ComponentType<object>, this.props)
    }
  } as ComponentType<Props>
}
