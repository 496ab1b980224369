/** The page's first script: builds what the app needs, once, and puts the app into the document. */
import { createRoot } from 'react-dom/client';
import { createRequest } from './api/request.ts';
import { createServerApi } from './api/server-api.ts';
import { AppView } from './app/app-view.tsx';
import { installWorker } from './app/install-worker.ts';
import { createNavigation } from './app/navigation.ts';
import { AppContext, type App } from './app/use-app.ts';
import { createDrafts } from './chat/drafts.ts';
import { createConversationList } from './live/create-conversation-list.ts';
import { createLive } from './live/create-live.ts';
import { createKeptFlag } from './live/create-kept-flag.ts';
import { createStreams } from './live/create-streams.ts';
import { createStore } from './live/create-store.ts';
import { createBrowserNotices } from './notify/browser-notices.ts';
import { createNotifier } from './notify/create-notifier.ts';
import { focusQuestion, goToPlace, questionMark } from './notify/go-to-place.ts';
import { watchLookedAt } from './notify/looked-at.ts';
import { createSpeaker } from './speech/create-speaker.ts';
import { loadWords } from './words/load-words.ts';
import { WordsContext } from './words/use-words.ts';
import type { Words } from './words/words.ts';
import type { WebState } from '../contract/web-api.ts';
import './ui/tokens.css';
import './ui/base.css';
import './ui/controls.css';
import './ui/page.css';
import './shell/shell.css';
import './markdown/markdown.css';
import './chat/chat.css';
import './chat/steps.css';
import './chat/question.css';
import './chat/composer.css';
import './chat/attach/attach.css';
import './ui/motion.css';
import './ui/forced-colours.css';

/** The bundler finds the worker's file by these very words. */
function startWorker(): SharedWorker | undefined {
  if (typeof SharedWorker === 'undefined') return undefined;
  return new SharedWorker(new URL('./live/stream-worker.process.ts', import.meta.url), { type: 'module' });
}

function createApp(words: Words): App {
  const fetch = globalThis.fetch.bind(globalThis);
  const request = createRequest(fetch);
  const api = createServerApi(request);
  const streams = createStreams(fetch, startWorker);
  const live = createLive(streams);
  const list = createConversationList(api, live);
  const serverState = createStore<WebState | undefined>(undefined);
  // Read anew with each connection: the server may be another one by then.
  let isLive = false;
  const readState = (): void => {
    const wasLive = isLive;
    isLive = live.connection.get().kind === 'live';
    if (!isLive || wasLive) return;
    void api.state().then(serverState.set, () => undefined);
    void list.reload();
  };
  live.connection.subscribe(readState);
  let settingsChanges = 0;
  live.state.subscribe(() => {
    const changes = live.state.get().settingsChanges;
    if (changes !== settingsChanges) void api.state().then(serverState.set, () => undefined);
    settingsChanges = changes;
  });
  const navigation = createNavigation(window);
  const notices = createBrowserNotices(window, (place) => goToPlace(navigation, place));
  // Not there where the page was not served securely.
  const isLookedAt = watchLookedAt(document, navigator.locks as LockManager | undefined);
  return {
    api,
    request,
    fetch,
    streams,
    live,
    list,
    navigation,
    notifier: createNotifier({ live, list, notices, isLookedAt, words }),
    drafts: createDrafts(localStorage),
    // Not every browser has it.
    speaker: createSpeaker('speechSynthesis' in window ? window.speechSynthesis : undefined),
    isSidebarShown: createKeptFlag(localStorage, 'handrail.sidebar', true),
    letterKeys: createKeptFlag(localStorage, 'handrail.letter-keys', true),
    isRunDocked: createKeptFlag(localStorage, 'handrail.run-docked', true),
    serverState,
  };
}

const place = document.getElementById('root');
const chosen = localStorage.getItem('handrail.language');
const words = await loadWords([...(chosen === null ? [] : [chosen]), ...navigator.languages]);
document.documentElement.lang = words.language;
if (place !== null) {
  const app = createApp(words);
  if (window.location.hash === questionMark) focusQuestion();
  installWorker(app.navigation);
  createRoot(place).render(
    <WordsContext value={words}>
      <AppContext value={app}>
        <AppView />
      </AppContext>
    </WordsContext>,
  );
}
