/** The ways to a person who may not be looking: short lines, and files to be seen. */
import { openNotifications } from './notifications/open-notifications.ts';
import { openViewing } from './viewer/open-viewing.ts';

export function openPersonWays(environment: Readonly<Record<string, string | undefined>>) {
  return { notices: openNotifications(environment), viewing: openViewing(environment) };
}
