import { expect, it } from 'vitest';
import { MisuseFailure } from '../contract/failure.ts';
import { toEndpoint } from './base-url.ts';

it.each([
  ['anthropic', undefined, 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://api.anthropic.com', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://api.anthropic.com/', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://api.anthropic.com/v1//', 'https://api.anthropic.com/v1'],
  ['anthropic', 'https://gateway.example/anthropic', 'https://gateway.example/anthropic/v1'],
  ['gemini', ' ', 'https://generativelanguage.googleapis.com/v1beta'],
  ['gemini', 'http://localhost:99', 'http://localhost:99/v1beta'],
  ['gemini', 'http://localhost:99/v1beta/', 'http://localhost:99/v1beta'],
  ['gemini', 'http://localhost:99/v1', 'http://localhost:99/v1'],
  ['openai-chat', 'http://localhost:8000/v1/', 'http://localhost:8000/v1'],
  ['openai-chat', 'https://x.example/api/paas/v4', 'https://x.example/api/paas/v4'],
  ['openai-responses', undefined, 'https://api.openai.com/v1'],
] as const)('%s with %s goes to %s', (dialect, given, baseUrl) => {
  expect(toEndpoint(dialect, given, 'X_BASE_URL').baseUrl).toBe(baseUrl);
});

it('keeps a query apart for gateways that want one on each request', () => {
  expect(toEndpoint('openai-chat', 'https://x.example/openai/v1?api-version=2', 'X')).toEqual({
    baseUrl: 'https://x.example/openai/v1',
    search: '?api-version=2',
    host: 'x.example',
  });
});

it.each(['not a url', 'ftp://x.example', 'localhost:8080/v1', 'javascript:alert(1)'])(
  'refuses %s and names where it stands',
  (given) => {
    expect(() => toEndpoint('openai-chat', given, 'OPENAI_BASE_URL')).toThrow(MisuseFailure);
    expect(() => toEndpoint('openai-chat', given, 'OPENAI_BASE_URL')).toThrow('OPENAI_BASE_URL');
  },
);

it('refuses a password in the address without repeating it', () => {
  expect(() => toEndpoint('anthropic', 'https://me:geheim@x.example', 'X')).toThrow(/^(?!.*geheim)/);
});
