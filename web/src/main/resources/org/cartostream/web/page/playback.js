// Where the page of a recorded run has its data from: its server, which reads the recording.

import { Player } from '/player.js';

async function ask(path, options) {
  let answer;
  try {
    answer = await fetch(`/api/${path}`, options);
  } catch {
    throw new Error('the server does not answer: it has ended, or its host is away');
  }
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return answer;
}

const data = {
  tiles: async (shown, wanted) =>
    (await ask(`recording/map?shown=${shown}&wanted=${wanted}`)).arrayBuffer(),
  scan: async (step) => (await ask(`recording/scan?step=${step}`)).json(),
  loops: async (number) => (await (await ask(`recording/loops?number=${number}`)).json()).loops,
  label: async (seconds, text) =>
    (await ask('recording/label', { method: 'POST', body: JSON.stringify({ seconds, text }) })).json(),
};

export async function connect(handlers) {
  try {
    const run = await (await ask('recording')).json();
    handlers.onOpen();
    window.cartostream.player = new Player(run, data, handlers);
  } catch (failure) {
    handlers.onClosed(failure.message);
  }
}
