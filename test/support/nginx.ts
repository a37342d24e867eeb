import { once } from 'node:events';
import type { Socket } from 'node:net';
import { openConnection } from './raw-http.js';
import { startNginx } from './servers.js';
import { startTestService } from './service.js';
import type { TestSettings } from './settings.js';

/** A service, and nginx before it. */
export async function behindNginx(settings: TestSettings = {}) {
  const service = await startTestService(settings);
  const port = await startNginx([service.port]);
  return { service, port, url: `http://127.0.0.1:${port}` };
}

/** Opens connections that send this much and no more. */
export async function openMany(port: number, count: number, bytes: string): Promise<{ open: () => number }> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    const socket = openConnection(port, bytes).resume();
    sockets.push(socket);
    if (i % 100 === 99) await once(socket, 'connect');
  }
  const isOpen = (socket: Socket) => {
    // A FIN may be for sending only. What comes after it is reset when the connection is closed.
    if (socket.readableEnded) socket.write('\r\n');
    return !socket.closed;
  };
  return { open: () => sockets.filter(isOpen).length };
}
