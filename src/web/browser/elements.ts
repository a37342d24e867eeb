type Attributes = Record<string, string>;

/** Creates an element. Children are nodes or text, so nothing of a license can become markup. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function button(label: string, onClick: () => void, attributes: Attributes = {}): HTMLElement {
  const element = h('button', attributes, label);
  element.addEventListener('click', onClick);
  return element;
}

export function table(className: string, head: Node[], rows: Node[][]): HTMLElement {
  const body = rows.map((cells) => h('tr', {}, ...cells));
  return h('table', { class: className }, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...body));
}

/** An element of index.html. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no #${id}`);
  return element;
}

/** Has a screen reader say something that others see. */
export function announce(text: string): void {
  byId('announcement').textContent = text;
}
