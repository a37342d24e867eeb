import { Component, type ComponentChildren, type FunctionComponent } from 'preact';

/** A component that is rendered again only when one of its properties is another one. */
export function memo<Props extends object>(
  render: (props: Props) => ComponentChildren,
): FunctionComponent<Props> {
  class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const names = Object.keys(next) as (keyof Props)[];
      return names.some((name) => next[name] !== this.props[name]);
    }
    override render(props: Props): ComponentChildren {
      return render(props);
    }
  }
  return Memo as unknown as FunctionComponent<Props>;
}
