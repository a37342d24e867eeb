/**
 * The arguments of a license command. Without `--send-statistics false` ring sends data to its vendor.
 * @param command such as `['list']`
 * @param directory where the licenses are
 * @param options of ring itself, which come before the module
 */
export const licenseArguments = (
  command: readonly string[],
  directory: string,
  options: readonly string[] = [],
): string[] => [...options, 'license', ...command, '--path', directory, '--send-statistics', 'false'];
