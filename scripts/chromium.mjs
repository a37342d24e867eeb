import which from 'which';

/** Programs that are a Chromium. The first has no windows and takes a third less CPU for the same pages. */
const SHELL = 'chromium-headless-shell';
const WHOLE = ['chromium', 'google-chrome'];

/**
 * Path of the Chromium of the system: the one that CHROMIUM names, else the first that is installed.
 * @param {string[]} programs
 * @returns {string | undefined}
 */
export function findChromium(programs = [SHELL, ...WHOLE]) {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;

  for (const program of programs) {
    const path = which.sync(program, { nothrow: true });
    if (path !== null) return path;
  }
  return undefined;
}

/** Path of a Chromium that has everything that a user's browser has. */
export const findWholeChromium = () => findChromium(WHOLE);

/**
 * Starts the Chromium of the system.
 * @param {string} directory for what it would otherwise leave in the user's home, or in TMPDIR when it is killed
 */
export async function launchChromium(directory) {
  const executablePath = findChromium();
  if (!executablePath) {
    throw new Error(`There is no Chromium. Install ${SHELL} or chromium, or set CHROMIUM to its path.`);
  }
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: [
      // Chromium's sandbox does not start as root, which is what containers run tests as.
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    env: { ...process.env, TMPDIR: directory, XDG_CONFIG_HOME: directory, XDG_CACHE_HOME: directory },
  });
}
