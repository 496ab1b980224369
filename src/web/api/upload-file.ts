/** Sends a file into a conversation's workspace, and tells how far it is: only XMLHttpRequest knows that. */
import type { FileInfo } from '../../contract/services.ts';
import { failureOf, queryText, RequestFailure } from './request.ts';

/** Where what was attached lies, so that it is in nobody's way. */
const folder = 'uploads';
const mostOfOneName = 50;

/** Resolves with its path in the workspace. Another file of that name stays: the new one gets a number. */
export async function uploadFile(
  conversationId: string,
  file: File,
  onProgress: (part: number) => void,
): Promise<string> {
  const name = safeName(file.name);
  for (let count = 1; ; count += 1) {
    const path = `${folder}/${count === 1 ? name : numbered(name, count)}`;
    try {
      await sendFile(`/api/files/upload${queryText({ conversation: conversationId, path })}`, file, onProgress);
      return path;
    } catch (error) {
      const isTaken = error instanceof RequestFailure && error.code === 'conflict';
      if (!isTaken || count === mostOfOneName) throw error;
    }
  }
}

/** To `/api/files/upload`, with its query. */
export function sendFile(path: string, file: File, onProgress: (part: number) => void): Promise<FileInfo> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', path);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.setRequestHeader('x-handrail-upload', '1');
    request.responseType = 'json';
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as FileInfo);
      else reject(failureOf(request.status, request.response));
    };
    request.onerror = () => reject(new RequestFailure('offline', ''));
    request.send(file);
  });
}

/** One part of a path, without what nobody could read. */
function safeName(name: string): string {
  const plain = name
    .replaceAll(/[\\/\p{Cc}\p{Cf}]/gu, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  return plain === '' ? 'file' : plain.slice(-120);
}

function numbered(name: string, count: number): string {
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name}-${count}` : `${name.slice(0, dot)}-${count}${name.slice(dot)}`;
}
