// Pointer, wheel, keys and tool buttons that move the view, and the measured distance.

const STEP_PIXELS = 60;
const ZOOM_STEP = 1.25;
const WHEEL_ZOOM = 0.0015; // per pixel that the wheel scrolls: a notch of 120 zooms by a fifth
const CLICK_PIXELS = 4;

// The scale is as long at most, or a fifth of the map; and two fifths of that at least, which has its label.
const SCALE_PIXELS = 120;

const element = (id) => document.getElementById(id);

// The longest of 1, 2 and 5 times a power of ten that is not longer.
function roundLength(metres) {
  const power = 10 ** Math.floor(Math.log10(metres));
  const length = [5, 2, 1].find((each) => each * power <= metres) * power;
  return Number(length.toPrecision(1));
}

export function control(canvas, view, tiles, redraw) {
  const pointers = new Map();
  let follows = true;
  let measures = false;
  let points = [];
  let moved = 0;

  function press(id, on) {
    element(id).setAttribute('aria-pressed', on);
  }

  function follow(on) {
    follows = on;
    press('follow', on);
    redraw();
  }

  function measure(on) {
    measures = on;
    points = [];
    press('measure', on);
    canvas.classList.toggle('measuring', on);
    element('distance').textContent = on ? 'click or Enter: from where?' : '';
    redraw();
  }

  function take(pixelX, pixelY) {
    const metres = tiles().metresPerCell;
    if (points.length === 2) points = [];
    points.push([view.column(pixelX) * metres, view.row(pixelY) * metres]);
    const [from, to] = points;
    element('distance').textContent = to
      ? `${Math.hypot(to[0] - from[0], to[1] - from[1]).toFixed(2)} m`
      : 'click or Enter: to where?';
    redraw();
  }

  function pan(right, down) {
    follow(false);
    view.move(right, down);
  }

  const tools = {
    in: () => view.zoomBy(ZOOM_STEP),
    out: () => view.zoomBy(1 / ZOOM_STEP),
    one: () => view.zoomTo(1),
    fit: () => {
      follow(false);
      if (tiles().bounds) view.fit(tiles().bounds);
    },
    follow: () => follow(!follows),
    measure: () => measure(!measures),
  };
  for (const [id, action] of Object.entries(tools)) {
    element(id).onclick = () => { action(); redraw(); };
  }

  const keys = {
    ArrowLeft: () => pan(STEP_PIXELS, 0),
    ArrowRight: () => pan(-STEP_PIXELS, 0),
    ArrowUp: () => pan(0, STEP_PIXELS),
    ArrowDown: () => pan(0, -STEP_PIXELS),
    '+': tools.in, '=': tools.in, '-': tools.out, 0: tools.fit, 1: tools.one,
    f: tools.follow, m: tools.measure,
    Escape: () => measure(false),
    Enter: () => { if (measures) take(view.width / 2, view.height / 2); },
  };
  canvas.onkeydown = (event) => {
    const action = keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    action();
    redraw();
  };

  const pixels = (event) => [event.offsetX * devicePixelRatio, event.offsetY * devicePixelRatio];

  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    view.zoomBy(Math.exp(-event.deltaY * WHEEL_ZOOM), ...pixels(event));
    redraw();
  }, { passive: false });

  canvas.onpointerdown = (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, pixels(event));
    moved = 0;
  };
  canvas.onpointermove = (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = pixels(event);
    const others = [...pointers.entries()].filter(([id]) => id !== event.pointerId);
    if (others.length === 1) { // Two fingers: zoom about the one that rests.
      const rest = others[0][1];
      const far = (point) => Math.max(1, Math.hypot(point[0] - rest[0], point[1] - rest[1]));
      view.zoomBy(far(now) / far(before), ...rest);
    } else {
      moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
      if (moved > CLICK_PIXELS) pan(now[0] - before[0], now[1] - before[1]);
    }
    pointers.set(event.pointerId, now);
    redraw();
  };
  canvas.onpointerup = canvas.onpointercancel = (event) => {
    const wasClick = pointers.size === 1 && moved <= CLICK_PIXELS && event.type === 'pointerup';
    pointers.delete(event.pointerId);
    if (measures && wasClick) take(...pixels(event));
  };

  return {
    get follows() { return follows; },
    showAll: tools.fit,

    draw(context, metresPerCell) {
      const max = Math.max(view.width / 5, SCALE_PIXELS * devicePixelRatio);
      const metres = roundLength((max / view.zoom) * metresPerCell);
      const pixelsLong = (metres / metresPerCell) * view.zoom / devicePixelRatio;
      element('scale').textContent = `${metres} m`;
      element('scale').style.width = `${pixelsLong}px`;
      if (points.length === 0) return;
      context.strokeStyle = context.fillStyle = '#d0d';
      context.lineWidth = 2;
      context.beginPath();
      for (const [x, y] of points) {
        const [px, py] = [view.pixelX(x / metresPerCell), view.pixelY(y / metresPerCell)];
        context.fillRect(px - 3, py - 3, 7, 7);
        context.lineTo(px, py);
      }
      context.stroke();
    },
  };
}
