import nodeConsole from 'node:console';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { render } from 'preact';
import { expect, onTestFinished, vi } from 'vitest';
import { App } from '../../src/web/page/app.js';
import { Model } from '../../src/web/page/model/model.js';
import { cellTexts } from '../../src/web/page/texts/cells.js';
import { language } from '../../src/web/page/texts/language.js';

/** What a decode is answered. */
export interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}
type Respond = (text: string, request: IncomingMessage) => Answer | Promise<Answer>;

/** A service whose answers the test holds: `respond` gets the text of each uploaded file. */
async function startService(respond: Respond) {
  const service = { respond, isReady: true, decodes: [] as string[] };
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const form = await buffer(request);
    if (request.url !== '/api/decode') {
      response.writeHead(service.isReady ? 200 : 503).end('{}');
      return;
    }
    const text = /filename=.*?\r\n\r\n(.*?)\r\n--/s.exec(form.toString())?.[1] ?? '';
    service.decodes.push(text);
    const { status = 200, headers = {}, body } = await service.respond(text, request);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  };
  const server = createServer((request, response) => void answer(request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(service, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

interface GivenFile {
  name: string;
  text?: string;
  folder?: string;
}

const nameOf = (element: Element) => element.ariaLabel ?? element.textContent.replace(/\s+/g, ' ').trim();

/** Renders the page without a browser, in English, as a client of a service of its own. There is no layout. */
export async function openDomPage(respond: Respond, limit = 1000) {
  // Where happy-dom notes each answer of 400 or more.
  vi.spyOn(nodeConsole, 'error').mockReturnValue(undefined);
  const service = await startService(respond);
  (window as unknown as { happyDOM: { setURL: (url: string) => void } }).happyDOM.setURL(service.url);
  language.value = 'en';
  const model = new Model({
    limit,
    windowSeconds: 3600,
    timeoutMs: 55_000,
    maxFileBytes: 5_242_880,
    language,
    describe: cellTexts,
  });
  render(<App model={model} version="1.2.3" />, document.body);
  const ticks = setInterval(() => model.tick(), 50);
  onTestFinished(() => {
    clearInterval(ticks);
    render(null, document.body);
  });
  const all = (selector: string) => [...document.body.querySelectorAll<HTMLElement>(selector)];
  const texts = (selector: string) => all(selector).map(nameOf);
  const page = {
    service,
    model,
    /** Gives files to the page, as its button does. */
    choose: async (...files: GivenFile[]) => {
      await model.add(
        files.map(({ name, text = name, folder = '' }) => ({ file: new File([text], name), folder })),
      );
    },
    /** The names of the elements: for screen readers, else their texts. */
    texts,
    /** Whether a text is shown. */
    shows: (text: string | RegExp) => {
      const shown = document.body.textContent.replace(/\s+/g, ' ');
      return typeof text === 'string' ? shown.includes(text) : text.test(shown);
    },
    /** Waits for a button, and presses it. */
    press: async (name: string | RegExp) => {
      const button = await vi.waitFor(() => {
        const found = all('button, summary, a').find((element) =>
          typeof name === 'string' ? nameOf(element) === name : name.test(nameOf(element)),
        );
        return found ?? expect.unreachable(`no button ${name}: ${texts('button').join(', ')}`);
      }, 10_000);
      button.click();
    },
    type: (selector: string, text: string) => {
      const [field] = all(selector) as HTMLInputElement[];
      if (!field) expect.unreachable(`no field ${selector}`);
      field.value = text;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      return field;
    },
  };
  return page;
}
