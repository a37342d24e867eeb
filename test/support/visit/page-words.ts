/** What the script in the page gives to the test. */
export interface PageWords {
  /** Requests for a decode that have no answer yet. */
  decodes: number;
  /** Other requests, and files that are being read. */
  others: number;
  /** What a screen reader was given to say since the last call. */
  announced: () => string[];
  /** What can be seen, line by line. A row of a table is one line. */
  shown: () => string[];
  /** The name of an element for screen readers, else its text. */
  nameOf: (element: Element) => string;
  /** Resolves after everything that the page had already begun to do. */
  turn: () => Promise<void>;
}

declare global {
  interface Window {
    visit: PageWords;
  }
}

/**
 * Runs in the page before its own scripts. It counts what the page waits for, and puts into words what the page shows
 * and announces, by roles and names alone.
 */
export function watchPage(): void {
  const realTimeout = window.setTimeout.bind(window);
  const announcements: string[] = [];

  const visit: PageWords = {
    decodes: 0,
    others: 0,
    announced: () => announcements.splice(0),
    shown: () => {
      const page = new Lines();
      page.add(document.body);
      return page.all();
    },
    nameOf,
    turn: () => new Promise((resolve) => void realTimeout(resolve, 20)),
  };
  window.visit = visit;

  countRequests();
  for (const method of ['arrayBuffer', 'text'] as const) {
    countCalls(Blob.prototype, method);
    countCalls(Response.prototype, method);
  }
  countCalls(Response.prototype, 'json');
  const observer = new MutationObserver(hear);
  observer.observe(document, { subtree: true, childList: true, characterData: true });

  function countRequests(): void {
    const realFetch = window.fetch.bind(window);
    window.fetch = async (...request) => {
      const [target] = request;
      const address = target instanceof Request ? target.url : String(target);
      const kind = address.endsWith('/api/decode') ? 'decodes' : 'others';
      visit[kind] += 1;
      try {
        return await realFetch(...request);
      } finally {
        visit[kind] -= 1;
      }
    };
  }

  function countCalls(owner: object, method: string): void {
    const methods = owner as Record<string, (...values: unknown[]) => Promise<unknown>>;
    const real = methods[method];
    if (!real) return;
    methods[method] = async function (...values) {
      visit.others += 1;
      try {
        return await real.apply(this, values);
      } finally {
        visit.others -= 1;
      }
    };
  }

  /** A screen reader says a region as a whole when its text changes, and an alert also when it appears. */
  function hear(changes: MutationRecord[]): void {
    const regions = new Set<Element>();
    for (const { target, addedNodes } of changes) {
      const element = target instanceof Element ? target : target.parentElement;
      const region = element?.closest('[role=status], [role=alert], [aria-live]');
      if (region) regions.add(region);
      for (const node of addedNodes) {
        if (!(node instanceof Element)) continue;
        if (node.matches('[role=alert]')) regions.add(node);
        for (const alert of node.querySelectorAll('[role=alert]')) regions.add(alert);
      }
    }
    for (const region of regions) {
      // What is in a closed dialog is not said.
      if (!region.checkVisibility()) continue;
      const text = nameOf(region);
      if (text !== '') announcements.push(text);
    }
  }

  function plain(text: string | null): string {
    return (text ?? '').replace(/\s+/g, ' ').trim();
  }

  function nameOf(element: Element): string {
    const label = element.getAttribute('aria-label');
    if (label) return plain(label);
    const field = element instanceof HTMLInputElement ? element.labels?.[0] : undefined;
    return plain((field ?? element).textContent);
  }

  /** Whether it can be seen. What is there for screen readers only has no area to speak of. */
  function isSeen(element: Element): boolean {
    if (!element.checkVisibility({ visibilityProperty: true })) return false;
    const { width, height } = element.getBoundingClientRect();
    const isClipped = getComputedStyle(element).overflow !== 'visible';
    return !isClipped || (width > 1 && height > 1);
  }

  /** What people take for one thing, in brackets that tell what it is; undefined for anything else. */
  function controlIn(element: Element): string | undefined {
    if (element instanceof HTMLButtonElement) {
      const isPressed = element.getAttribute('aria-pressed') === 'true';
      const isDisabled = element.disabled || element.getAttribute('aria-disabled') === 'true';
      return `[${nameOf(element)}]${isPressed ? ' (pressed)' : ''}${isDisabled ? ' (disabled)' : ''}`;
    }
    if (element instanceof HTMLAnchorElement) return `<${nameOf(element)}>`;
    if (element instanceof HTMLLabelElement && element.control?.matches('[type=file]'))
      return `[${nameOf(element)}]`;
    if (element instanceof HTMLProgressElement) return `${element.value}/${element.max}`;
    if (element instanceof HTMLSelectElement)
      return `{${nameOf(element)}: ${element.selectedOptions[0]?.text ?? ''}}`;
    if (element instanceof HTMLInputElement) {
      if (element.type === 'checkbox') return element.checked ? '[x]' : '[ ]';
      const label = element.ariaLabel ?? plain(element.labels?.[0]?.textContent ?? null);
      return `{${label}: ${element.value}}`;
    }
    if (element.getAttribute('role') === 'img' || element instanceof HTMLImageElement) {
      const name = element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? '';
      return name === '' ? '' : `(${name})`;
    }
    return undefined;
  }

  /** Gathers text, with a new line wherever the page has one. */
  class Lines {
    private readonly lines: string[] = [];
    private line = '';

    add(element: Element): void {
      for (const child of element.childNodes) {
        if (child instanceof Text) this.line += child.data;
        else if (child instanceof Element && isSeen(child)) this.addElement(child);
      }
    }

    all(): string[] {
      this.endLine();
      return this.lines;
    }

    private addElement(element: Element): void {
      const control = controlIn(element);
      if (control !== undefined) {
        this.line += ` ${control} `;
        return;
      }
      if (element.matches('tr, [role=row]')) {
        this.endLine();
        this.line = rowIn(element);
        this.endLine();
        return;
      }
      const isInline = getComputedStyle(element).display.startsWith('inline');
      if (!isInline) this.endLine();
      if (element.matches('h1, h2, h3, h4')) this.line += '# ';
      this.add(element);
      if (!isInline) this.endLine();
    }

    private endLine(): void {
      const line = plain(this.line);
      if (line !== '') this.lines.push(line);
      this.line = '';
    }
  }

  function rowIn(row: Element): string {
    const cells = [...row.children].filter(isSeen).map((cell) => {
      const lines = new Lines();
      lines.add(cell);
      return lines.all().join(' / ');
    });
    return `| ${cells.join(' | ')} |`;
  }
}
