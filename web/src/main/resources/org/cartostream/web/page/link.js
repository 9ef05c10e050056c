// The WebSocket to the server. An update is at most one binary frame with tiles, then a text with the
// state; the server sends the next one when this one has been answered with "next". After a break it
// connects again, and holds nothing then: the server sends all.

import { watchTasks } from '/tasks.js';

const PAUSE_MILLIS = 1000;
let watches = false;

// The newest map as map_server's files.
function offerMap() {
  const save = document.getElementById('save');
  save.href = `/api/map.zip${location.search}`;
  save.hidden = false;
}

export function connect({ onOpen, onTiles, onState, onClosed }) {
  if (!watches) watchTasks();
  watches = true;
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const socket = new WebSocket(`${scheme}://${location.host}/ws${location.search}`, 'cartostream.v1');
  socket.binaryType = 'arraybuffer';
  // Tiles are inflated on the side: what comes after them waits for that.
  let before = Promise.resolve();
  socket.onopen = onOpen;
  socket.onmessage = ({ data }) => {
    before = before.then(async () => {
      if (data instanceof ArrayBuffer) {
        await onTiles(data);
        offerMap();
      } else {
        onState(JSON.parse(data));
        if (socket.readyState === WebSocket.OPEN) socket.send('next');
      }
    });
  };
  socket.onclose = ({ reason }) => {
    onClosed(reason);
    setTimeout(() => connect({ onOpen, onTiles, onState, onClosed }), PAUSE_MILLIS);
  };
}
