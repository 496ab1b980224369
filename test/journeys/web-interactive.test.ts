/** Interactive conversations: screens that a model describes, used by a person in a real browser. */
import { expect, test } from 'vitest';
import {
  browserTestMs,
  eventually,
  expectAccessible,
  expectNoSideways,
  openBrowser,
  say,
  visit,
} from '../kit/browser.ts';
import type { Turn } from '../kit/model-server.ts';
import { createWebJourney } from '../kit/web-world.ts';

const screen = (nodes: readonly object[]): string =>
  `\`\`\`kai-ui\n${JSON.stringify({ type: 'column', children: nodes })}\n\`\`\``;

const trip = screen([
  { type: 'text', style: 'title', text: 'Your weekend in Trieste' },
  { type: 'text', text: 'Two nights. Say what **matters**. [A map](https://example.org/map)' },
  {
    type: 'row',
    children: [
      { type: 'select', id: 'travellers', label: 'Travellers', options: ['2 adults', '1 adult'] },
      {
        type: 'text_input',
        id: 'budget',
        label: 'Budget per person',
        value: '320',
        hint: 'without the train',
        inputType: 'number',
      },
    ],
  },
  { type: 'radio_group', id: 'pace', label: 'Pace', options: ['Slow', 'Balanced', 'Full days'], value: 'Balanced' },
  {
    type: 'chip_group',
    id: 'likes',
    label: 'Interests',
    multiple: true,
    options: ['Coffee houses', 'Castle', 'Museums'],
    value: ['Castle'],
  },
  { type: 'slider', id: 'walk', label: 'Walking per day', min: 2, max: 20, value: 8, unit: 'km' },
  { type: 'switch', id: 'sunday', label: 'Only places that are open on Sunday', value: true },
  {
    type: 'accordion',
    title: 'More',
    children: [{ type: 'table', headers: ['Day', 'Plan'], rows: [['1', 'Castle']] }],
  },
  { type: 'image', url: 'https://example.org/tracker.png', alt: 'The <b>harbour</b>' },
  {
    type: 'row',
    children: [
      { type: 'button', label: 'Make three plans', action: { type: 'callback', event: 'plan', data: { nights: 2 } } },
      { type: 'button', label: 'Start over', action: { type: 'callback', event: 'restart' } },
    ],
  },
]);

const plans = screen([
  { type: 'text', style: 'title', text: 'Three plans' },
  { type: 'list', items: ['Miramare', 'Karst', '<img src=x onerror=alert(1)>'] },
]);

/** Held until the test lets it go. */
function held(turn: Turn): { readonly turn: () => Promise<Turn>; release(): void } {
  const gate = Promise.withResolvers<void>();
  return { turn: () => gate.promise.then(() => turn), release: gate.resolve };
}

test.each([
  ['phone', 'light'],
  ['desk', 'dark'],
] as const)(
  '[K90] [K91] [K93] a screen is shown, filled in and answered; the pressed button waits, and the one before is folded (%s, %s)',
  async (size, theme) => {
    const first = held({ text: trip });
    const second = held({ text: plans });
    const makers = [first.turn, second.turn];
    const journey = await createWebJourney((_body, index) => makers[index]?.() ?? { text: 'no more' });
    const { client } = await journey.serve();
    const visitor = await visit(await openBrowser(), client, { size, theme });
    const { page } = visitor;
    await page.getByText('Interactive', { exact: true }).click();
    await visitor.shoot('kai-0-new');
    await say(page, 'A weekend in Trieste');
    // Before the first answer: one waiting row in the middle, and Stop in the place of Send.
    await page.locator('.waiting-row .status').waitFor();
    await page.locator('.composer').getByRole('button', { name: 'Stop' }).waitFor();
    const title = await page.locator('.bar h1').innerText();
    first.release();
    const card = page.getByRole('region', { name: 'Your weekend in Trieste' });
    await card.getByRole('button', { name: 'Make three plans' }).waitFor();
    await page.locator('.turn-end').waitFor();
    await expectAccessible(page);
    await expectNoSideways(page);
    await visitor.shoot('kai-1-screen');
    await card.getByLabel('Travellers').selectOption('1 adult');
    await card.getByLabel('Budget per person').fill('410');
    await card.getByLabel('Full days').check();
    await card.getByRole('button', { name: 'Museums' }).click();
    await card.getByRole('slider').fill('12');
    await card.getByRole('switch').uncheck();
    await card.getByRole('button', { name: 'Make three plans' }).click();
    const waiting = card.getByRole('button', { name: 'Make three plans, waiting for the answer' });
    await waiting.waitFor();
    expect(await waiting.getAttribute('aria-busy')).toBe('true');
    expect(await card.getByRole('button', { name: 'Start over' }).isDisabled()).toBe(true);
    expect(await page.locator('.bar h1').innerText()).toBe(title);
    await visitor.shoot('kai-2-waiting');
    second.release();
    await page.getByRole('region', { name: 'Three plans' }).waitFor();
    await page.locator('.frozen > summary').getByText('Make three plans').waitFor();
    await visitor.shoot('kai-3-next');
    await expectAccessible(page);
    const [, request] = journey.server.requests;
    expect(JSON.stringify(request?.body)).toContain(
      JSON.stringify(
        '{"event":"plan","data":{"nights":2},"values":{"travellers":"1 adult","budget":"410","pace":"Full days","likes":["Castle","Museums"],"walk":12,"sunday":false}}',
      ).slice(1, -1),
    );
    expect({ problems: visitor.problems, foreign: visitor.foreignRequests }).toEqual({ problems: [], foreign: [] });
  },
  browserTestMs,
);

test('[K91] [K93] Stop ends a screen that is awaited, and what is no screen is code', async () => {
  const journey = await createWebJourney([
    { text: 'word '.repeat(400), chunkChars: 5, delayMs: 100 },
    { text: '```kai-ui\nno screen at all\n```' },
  ]);
  const { client } = await journey.serve();
  const { page } = await visit(await openBrowser(), client);
  await page.getByText('Interactive', { exact: true }).click();
  await say(page, 'Begin');
  await page.locator('.composer').getByRole('button', { name: 'Stop' }).click();
  await page.getByText('You stopped it.').waitFor();
  // What is written before the server has let go waits for a word after a Stop.
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await say(page, 'Again');
  await eventually(() => page.locator('figure.code pre').innerText()).toContain('no screen at all');
  // In the request stands how screens are made.
  expect(JSON.stringify(journey.server.requests.at(-1)?.body)).toContain('fenced block of language kai-ui');
});
