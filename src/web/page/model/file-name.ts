/** How the names of license files end. */
export const LICENSE_ENDING = '.lic';

export const hasLicenseName = (name: string) => name.toLowerCase().endsWith(LICENSE_ENDING);
