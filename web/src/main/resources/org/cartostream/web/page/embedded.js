// Where the page of a report has its data from: itself.

import { Player } from '/player.js';

function bytes(base64) {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
}

export async function connect(handlers) {
  const run = JSON.parse(document.getElementById('run').textContent);
  const data = {
    tiles: async () => bytes(run.tiles),
    scan: async () => ({}),
    loops: async () => [],
  };
  handlers.onOpen();
  window.cartostream.player = new Player(run, data, handlers);
}
