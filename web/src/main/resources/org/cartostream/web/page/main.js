// Puts the page together: what its source has (the server of a live or of a recorded run, or the page
// itself) goes into tiles, layers and panel, and one drawing per frame of the screen shows them.

import { connect } from '/source.js';
import { Layers } from '/layers.js';
import { Panel } from '/panel.js';
import { Tiles, UNKNOWN } from '/tiles.js';
import { View } from '/view.js';
import { control } from '/control.js';

const canvas = document.getElementById('map');
const context = canvas.getContext('2d');
const view = new View();
const panel = new Panel();
let tiles = new Tiles();
let layers = new Layers();
let pending = false;

function draw() {
  pending = false;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = `rgb(${UNKNOWN}, ${UNKNOWN}, ${UNKNOWN})`;
  context.fillRect(0, 0, view.width, view.height);
  if (controls.follows && layers.pose) {
    view.centre(layers.pose[0] / tiles.metresPerCell, layers.pose[1] / tiles.metresPerCell);
  }
  tiles.draw(context, view);
  layers.draw(context, view, tiles.metresPerCell);
  controls.draw(context, tiles.metresPerCell);
  canvas.dataset.tiles = tiles.received; // What tests wait for.
}

function redraw() {
  if (!pending) requestAnimationFrame(draw);
  pending = true;
}

const controls = control(canvas, view, () => tiles, redraw);

new ResizeObserver(([entry]) => {
  const pixels = entry.devicePixelContentBoxSize?.[0];
  canvas.width = pixels ? pixels.inlineSize : Math.round(canvas.clientWidth * devicePixelRatio);
  canvas.height = pixels ? pixels.blockSize : Math.round(canvas.clientHeight * devicePixelRatio);
  view.resize(canvas.width, canvas.height);
  draw(); // At once: a canvas that changes its size is empty.
}).observe(canvas);

for (const box of document.querySelectorAll('input[id^=layer-]')) box.onchange = redraw;

// For the browser's console, and for tests.
window.cartostream = {
  view,
  panel,
  redraw,
  bounds: () => tiles.bounds,
  cells: () => tiles.cells(),
  metresPerCell: () => tiles.metresPerCell,
};

connect({
  onOpen() {
    tiles = new Tiles();
    layers = new Layers();
  },
  async onTiles(frame) {
    const first = !tiles.bounds;
    await tiles.take(frame);
    if (first) view.zoomTo(Math.max(1, Math.round(2 * devicePixelRatio)));
    redraw();
  },
  onState(state) {
    const late = state.phase !== 'waiting' && state.phase !== 'running';
    if (late && !layers.hasState) controls.showAll(); // There is nothing to follow any more.
    layers.take(state);
    panel.show(state, layers);
    redraw();
  },
  onClosed(reason) {
    panel.phase(reason || 'the server does not answer: the run is over, or its host is away', true);
  },
});
