/** The background jobs of a conversation, and their end. */
import type { WebJob } from '../../contract/web-api.ts';
import type { JobInfo } from '../../contract/jobs.ts';
import type { Request } from '../api/request.ts';

export type JobsApi = {
  running(conversationId: string): Promise<readonly WebJob[]>;
  kill(job: WebJob): Promise<JobInfo>;
};

export function createJobsApi(request: Request): JobsApi {
  return {
    async running(conversationId) {
      const jobs = await request<readonly WebJob[]>('GET', '/api/jobs');
      return jobs.filter(({ conversation, state }) => conversation === conversationId && state === 'running');
    },
    kill: ({ conversation, sessionId }) =>
      request('POST', `/api/jobs/${encodeURIComponent(conversation)}/${encodeURIComponent(sessionId)}/kill`, {}),
  };
}
