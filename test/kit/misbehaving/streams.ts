/** Models whose services drop, stall, fail and answer in something that is no stream. */
import { first, read } from './misbehaviour.ts';
import type { Misbehaviour } from './misbehaviour.ts';

const noRetries = { limits: { modelRetries: 0 } };
const failed = { reasons: ['failed'], maxRequests: 1, settings: noRetries } as const;
const long = 'The heron stands in the reeds and waits. '.repeat(5);
const impatient = {
  reasons: ['failed'],
  maxRequests: 1,
  settings: { limits: { modelRetries: 0, modelIdleSeconds: 2 } },
  says: /nothing came for 2 seconds/u,
} as const;
const garbage = ['data: {"choices": [{"del\n\n', 'event: nonsense\ndata: ]]]]\n\n', ':::\n\n\u0000\u0001\n\n'];

export const streamMisbehaviours: readonly Misbehaviour[] = [
  {
    name: 'answers 500 for ever',
    turn: () => ({ error: 'server' }),
    ...{ reasons: ['failed'], maxRequests: 3, says: /is in trouble \(500\)/u },
  },
  {
    name: 'fails once and then answers',
    turn: first(1, () => ({ error: 'overloaded' })),
    ...{ reasons: ['answer'], maxRequests: 2 },
  },
  {
    name: 'asks to wait for a week',
    turn: () => ({ error: 'rate_limit', headers: { 'retry-after': '604800' } }),
    ...{ reasons: ['failed'], maxRequests: 1, says: /168 hours/u },
  },
  {
    name: 'asks to wait for a time that is none',
    turn: () => ({ error: 'rate_limit', headers: { 'retry-after': 'soon-ish' } }),
    ...{ reasons: ['failed'], maxRequests: 3, says: /slow down/u },
  },
  { name: 'never answers', turn: () => ({ text: long, stallAfterEvents: 0 }), ...impatient },
  { name: 'falls silent in the middle', turn: () => ({ text: long, stallAfterEvents: 6 }), ...impatient },
  {
    name: 'falls silent in a call',
    turn: () => ({ calls: [read(1)], chunkChars: 4, stallAfterEvents: 5 }),
    ...impatient,
    maxCalls: 0,
  },
  {
    name: 'breaks off before the first byte',
    turn: () => ({ text: long, cut: 'abrupt', cutAfterBytes: 0 }),
    ...failed,
  },
  { name: 'breaks off in the text', turn: () => ({ text: long, cut: 'abrupt', cutAfterEvents: 5 }), ...failed },
  {
    name: 'ends in the text as if all were well',
    turn: () => ({ text: long, cut: 'clean', cutAfterEvents: 5 }),
    ...failed,
  },
  {
    name: 'breaks off in a call',
    turn: () => ({ text: 'I write.', calls: [read(1), read(2)], chunkChars: 6, cut: 'abrupt', cutAfterEvents: 7 }),
    ...failed,
    maxCalls: 0,
  },
  {
    name: 'ends in a call as if all were well',
    turn: () => ({ text: 'I write.', calls: [read(1), read(2)], chunkChars: 6, withoutEnd: true }),
    ...{ reasons: ['failed', 'answer'], maxRequests: 2, settings: noRetries },
  },
  {
    name: 'breaks off in the middle of a character',
    turn: () => ({ text: 'ü'.repeat(99), cut: 'abrupt', cutAfterBytes: 777 }),
    ...failed,
  },
  { name: 'sends an error in the middle', turn: () => ({ text: long, streamError: 'overloaded' }), ...failed },
  {
    name: 'answers with a page',
    turn: () => ({ status: 200, body: '<html><body><h1>Welcome!</h1></body></html>' }),
    ...failed,
  },
  {
    name: 'answers with a page and 502',
    turn: () => ({
      status: 502,
      body: `<html><title>Bad</title><script>alert(1)</script>${'<p>gateway</p>'.repeat(9999)}`,
    }),
    ...failed,
    says: /is in trouble \(502\)/u,
  },
  { name: 'answers with JSON that is no stream', turn: () => ({ status: 200, body: { answer: 'Here.' } }), ...failed },
  { name: 'answers with an empty stream', turn: () => ({ rawFrames: [] }), ...failed },
  { name: 'answers with garbage', turn: () => ({ rawFrames: garbage }), ...failed },
  {
    name: 'answers as plain text',
    turn: () => ({ text: 'Here.', headers: { 'content-type': 'text/plain' } }),
    ...{ reasons: ['answer', 'failed'], maxRequests: 1, settings: noRetries },
  },
  {
    name: 'answers as a picture',
    turn: () => ({ text: 'Here.', headers: { 'content-type': 'image/png' } }),
    ...{ reasons: ['answer', 'failed'], maxRequests: 1, settings: noRetries },
  },
  {
    name: 'redirects elsewhere',
    turn: () => ({ redirectTo: 'http://127.0.0.1:9/steal' }),
    ...failed,
    says: /redirects/u,
  },
  {
    name: 'answers with 100 MB of text',
    turn: () => ({ text: 'heron '.repeat(17_000_000), chunkChars: 1_000_000 }),
    ...failed,
    says: /larger|more than|too (?:long|much|large)/u,
  },
  {
    name: 'answers with 100 MB of comments',
    turn: () => ({ rawFrames: Array.from({ length: 100 }, () => `: ${'-'.repeat(1_000_000)}\n\n`) }),
    ...failed,
  },
  {
    name: 'fails with 100 MB of reasons',
    turn: () => ({ status: 400, body: 'why '.repeat(25_000_000) }),
    ...failed,
  },
];
