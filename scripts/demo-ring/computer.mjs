import os from 'node:os';

/**
 * A hardware configuration: ring's keys with their values, as in samples.json.
 * @typedef {Record<string, string | string[]>} Computer
 */

/**
 * What Node can tell of this machine without more rights than ring has in a container.
 * @returns {Computer}
 */
export function thisComputer() {
  const adapters = Object.entries(os.networkInterfaces()).flatMap(([name, addresses = []]) => {
    const outer = addresses.find(({ internal }) => !internal);
    return outer ? [`${name}, MAC ${outer.mac.toUpperCase()}`] : [];
  });
  return {
    'OS name': os.type(),
    'OS version': os.release(),
    'Computer name': os.hostname(),
    Motherboard: '',
    RAM: String(os.totalmem()),
    Processor: os.cpus()[0]?.model ?? '',
    'Network adapter': adapters,
  };
}

/**
 * The lines of a debug record; a key that has several values gets a line for each.
 * @param {Computer} computer
 * @returns {string[]}
 */
export function describeComputer(computer) {
  return Object.entries(computer).flatMap(([key, values]) =>
    [values].flat().map((value) => `${key} : ${value}`),
  );
}
