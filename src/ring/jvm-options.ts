/**
 * Options of every run, whether JVM tuning is on or off.
 *
 * Without performance counters, because the JVM keeps them in a file in /tmp together with its command line, which has the
 * PIN code. And with a bound of the heap, because memory is planned per slot. A JVM whose initial heap is larger than its
 * bound does not start. So if RING_OPTS has any option about the size of the heap, even only `-Xms`, the operator has to
 * bound it too.
 */
export function basicOptions(operatorOptions: string): string[] {
  const sizesHeap = /-Xm[nsx]|HeapSize|NewSize|RAM(?:Percentage|Fraction)?=/.test(operatorOptions);
  return sizesHeap ? ['-XX:-UsePerfData'] : ['-XX:-UsePerfData', '-Xmx256m'];
}

/**
 * The basic options and those for a JVM that runs one command. A JVM that does not know an option does not start, so they
 * depend on the JRE's major version. `docs/performance.md` has their gain: nearly none on 8, none on 17.
 * @param operatorOptions RING_OPTS. It follows these options and wins; options that it contradicts are left out.
 */
export function shortRunOptions(major: number, operatorOptions: string): string[] {
  const options = [
    // From 11 on, the optimizing compiler costs more CPU than it saves in so short a run. On 8, it makes no difference.
    '-XX:TieredStopAtLevel=1',
    ...basicOptions(operatorOptions),
  ];
  // A JVM does not start with two collectors.
  if (!/-XX:[+-]Use\w+GC\b/.test(operatorOptions)) options.push('-XX:+UseSerialGC');
  // Skips verification of class files. All code comes from the operator's ring installation, none from a license.
  // From 13 on verified classes come from the archive, and this gains nothing.
  if (major <= 12 && !/BytecodeVerification|-Xverify/.test(operatorOptions)) {
    options.push('-XX:-BytecodeVerificationRemote');
  }
  // From 9 on warnings of the unified log go to stdout, where ring prints its results (JEP 158).
  if (major >= 9) options.push('-Xlog:disable', '-Xlog:all=warning:stderr');
  // From 17 on archived classes are moved to a random address at each start, which costs 2 to 10 ms.
  if (major >= 17) options.push('-XX:+UnlockDiagnosticVMOptions', '-XX:ArchiveRelocationMode=0');
  return options;
}
