import nodeConsole from 'node:console';
import { render } from 'preact';
import { expect, onTestFinished, vi } from 'vitest';
import { App } from '../../src/web/page/app.js';
import { Store } from '../../src/web/page/model/store.js';
import { language } from '../../src/web/page/texts/language.js';
import { SETTINGS } from '../unit/web/model/licenses.js';
import { answerAbout, holdService, PERMIT, type HeldOptions, type Respond } from './held-service.js';

interface GivenFile {
  name: string;
  text?: string | Uint8Array<ArrayBuffer>;
  folder?: string | undefined;
}

interface DomPageOptions extends HeldOptions {
  acceptsTokens?: boolean;
}

const nameOf = (element: Element) =>
  element.getAttribute('aria-label') ?? element.textContent.replace(/\s+/g, ' ').trim();

/** Renders the page without a browser, in English, as a client of a service of its own. There is no layout. */
export async function openDomPage(
  respond: Respond = answerAbout,
  limit = 1000,
  { acceptsTokens = true, ...options }: DomPageOptions = {},
) {
  // Where happy-dom notes each answer of 400 or more.
  vi.spyOn(nodeConsole, 'error').mockReturnValue(undefined);
  const service = await holdService(respond, options);
  (window as unknown as { happyDOM: { setURL: (url: string) => void } }).happyDOM.setURL(service.url);
  language.value = 'en';
  const store = new Store({ ...SETTINGS, limit, acceptsTokens });
  render(<App store={store} version="1.2.3" />, document.body);
  const ticks = setInterval(() => store.tick(), 50);
  onTestFinished(() => {
    clearInterval(ticks);
    render(null, document.body);
  });
  const all = (selector: string) => [...document.body.querySelectorAll<HTMLElement>(selector)];
  const texts = (selector: string) => all(selector).map(nameOf);
  const text = () => document.body.textContent.replace(/\s+/g, ' ');
  const type = (selector: string, text: string) => {
    const [field] = all(selector) as HTMLInputElement[];
    if (!field) expect.unreachable(`no field ${selector}`);
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    return field;
  };
  /** Waits for a button, and presses it. */
  const press = async (name: string | RegExp) => {
    const button = await vi.waitFor(() => {
      const found = all('button, summary, a').find((element) => {
        const isNamed = typeof name === 'string' ? nameOf(element) === name : name.test(nameOf(element));
        return isNamed && !element.closest('dialog:not([open])');
      });
      return found ?? expect.unreachable(`no button ${name}: ${texts('button').join(', ')}`);
    }, 10_000);
    button.click();
  };
  return {
    service,
    store,
    /** Gives files to the page, as its button does. */
    choose: (...files: GivenFile[]) => {
      const [input] = all('#files');
      if (!input) expect.unreachable('no input for files');
      const chosen = files.map(({ name, text = PERMIT + name, folder }) =>
        Object.assign(new File([text], name), { webkitRelativePath: folder ? `${folder}/${name}` : '' }),
      );
      Object.defineProperty(input, 'files', { value: chosen, configurable: true });
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    /** The names of the elements: for screen readers, else their texts. */
    texts,
    /** All that is shown. */
    text,
    /** Waits until a text is shown. */
    shows: (shown: string | RegExp) => expect.poll(text).toMatch(shown),
    /** The texts of the cells of a column. */
    column: (name: string) => texts(`td.column-${name}`),
    press,
    /** Opens or closes the details of the row of a file. */
    open: async (name: string) => {
      const row = await vi.waitFor(
        () =>
          all('.license').find((row) => row.textContent.includes(name)) ?? expect.unreachable(`no ${name}`),
      );
      row.querySelector<HTMLElement>('[aria-expanded]')?.click();
    },
    /** Asks to clear the list, which the user has to confirm. */
    askToClear: async () => {
      await press('More actions');
      await press('Clear the list…');
    },
    type,
    useToken: (token: string) => type('#token', token).form?.requestSubmit(),
  };
}
