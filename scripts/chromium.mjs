import { chromium } from 'playwright-core';

/**
 * Starts the Chromium of the system (CHROMIUM=/path, else /usr/bin/chromium).
 * @param directory for what it would otherwise leave in the user's home, or in TMPDIR when it is killed
 */
export const launchChromium = (directory) =>
  chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    // Chromium's sandbox does not start as root.
    args: ['--no-sandbox', '--disable-gpu'],
    env: { ...process.env, TMPDIR: directory, XDG_CONFIG_HOME: directory, XDG_CACHE_HOME: directory },
  });
