/** Looks for model servers on this machine, on the ports that Ollama, llama.cpp and LM Studio use. */
import { asRecord, asText } from './json-fields.ts';

export type LocalServer = {
  readonly service: 'ollama' | 'llamacpp' | 'lmstudio';
  /** As a dialect wants it, with `/v1`. */
  readonly baseUrl: string;
  readonly models: readonly string[];
};

export type LocalPorts = { readonly ollama: number; readonly llamacpp: number; readonly lmstudio: number };

const usualPorts: LocalPorts = { ollama: 11434, llamacpp: 8080, lmstudio: 1234 };
const paths = { ollama: '/api/tags', llamacpp: '/v1/models', lmstudio: '/v1/models' } as const;
const probeMs = 300;
const maxBytes = 1024 * 1024;

/** Those that answer as a model server within 300 ms, in a fixed order. Never rejects. */
export async function findLocalServers(
  options: { readonly ports?: Partial<LocalPorts>; readonly signal?: AbortSignal } = {},
): Promise<readonly LocalServer[]> {
  const ports = { ...usualPorts, ...options.ports };
  const services = ['ollama', 'llamacpp', 'lmstudio'] as const;
  const found = await Promise.all(
    services.map(async (service): Promise<LocalServer | undefined> => {
      const origin = `http://127.0.0.1:${ports[service]}`;
      const models = await probe(`${origin}${paths[service]}`, options.signal);
      return models && { service, baseUrl: `${origin}/v1`, models };
    }),
  );
  return found.filter((server) => server !== undefined);
}

/** Undefined when nothing that serves models answers there; another program on the port is passed over. */
async function probe(url: string, signal: AbortSignal | undefined): Promise<readonly string[] | undefined> {
  const timeout = AbortSignal.timeout(probeMs);
  try {
    const response = await fetch(url, {
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    return readModels(JSON.parse(await readText(response)));
  } catch {
    // Nothing listens, it is too slow, or it is no model server: all mean that there is none.
    return undefined;
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error('more than a list of models');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Ollama: `{models: [{name}]}`. The others: `{data: [{id}]}`. */
function readModels(body: unknown): readonly string[] | undefined {
  const record = asRecord(body);
  const list = record?.models ?? record?.data;
  if (!Array.isArray(list)) return undefined;
  const entries = Array.isArray(record?.data) ? record.data : list;
  return entries
    .map((entry) => asText(asRecord(entry)?.id) ?? asText(asRecord(entry)?.name) ?? asText(asRecord(entry)?.model))
    .filter((name) => name !== undefined);
}
