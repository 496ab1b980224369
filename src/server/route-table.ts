/** Every route of the server, each with its policy. */
import type { Route } from './route.ts';
import { openApiRoute } from './open-api.ts';
import { activityRoutes } from './routes/activity-routes.ts';
import { conversationRoutes } from './routes/conversation-routes.ts';
import { exportRoutes } from './routes/export-routes.ts';
import { modelRoutes } from './routes/model-routes.ts';
import { fileRoutes } from './routes/file-routes.ts';
import { recordRoutes } from './routes/record-routes.ts';
import type { RouteParts } from './routes/route-parts.ts';
import { sandboxRoutes } from './routes/sandbox-routes.ts';
import { sessionRoutes } from './routes/session-routes.ts';
import { settingsRoutes } from './routes/settings-routes.ts';
import { setupRoutes } from './routes/setup-routes.ts';
import { terminalRoutes } from './routes/terminal-routes.ts';
import { turnRoutes } from './routes/turn-routes.ts';
import { upkeepRoutes } from './routes/upkeep-routes.ts';

export function createRouteTable(parts: RouteParts): readonly Route[] {
  const routes = [
    ...sessionRoutes(parts),
    ...recordRoutes(parts),
    ...conversationRoutes(parts),
    ...exportRoutes(parts),
    ...turnRoutes(parts),
    ...terminalRoutes(parts),
    ...sandboxRoutes(parts),
    ...activityRoutes(parts),
    ...fileRoutes(parts),
    ...settingsRoutes(parts),
    ...setupRoutes(parts),
    ...modelRoutes(parts),
    ...upkeepRoutes(parts),
  ];
  return [...routes, openApiRoute(routes, parts.handrail.version)];
}
