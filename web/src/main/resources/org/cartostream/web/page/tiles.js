// The map as tiles of 16 x 16 cells come in: kept as canvases of 256 x 256 cells, one pixel a cell,
// which lie on a lattice from the map frame's origin. The colours are those of map.pgm.

const TILE = 16;
const CHUNK = 256;
const CELLS = TILE * TILE;
const HEADER_BYTES = 30;

export const UNKNOWN = 205;

// As map_server does with 0.65 and 0.196.
function grey(cell) {
  if (cell < 0) return UNKNOWN;
  if (cell >= 65) return 0;
  return cell < 19.6 ? 254 : UNKNOWN;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new DataView(await new Response(stream).arrayBuffer());
}

export class Tiles {
  constructor() {
    this.chunks = new Map();
    this.bounds = null;
    this.metresPerCell = 0.05;
    this.received = 0;
    this.pixels = new ImageData(TILE, TILE);
  }

  // Takes a frame of the server's MapTilesFrame.
  async take(frame) {
    const head = new DataView(frame);
    if (head.getUint8(0) !== 1) throw new Error(`a frame of kind ${head.getUint8(0)}; 1 is needed`);
    const count = head.getInt32(26);
    const body = await inflate(new Uint8Array(frame, HEADER_BYTES));
    if (head.getUint8(1) === 1) this.chunks.clear();
    this.metresPerCell = head.getFloat64(2);
    this.bounds = {
      column: head.getInt32(10), row: head.getInt32(14),
      width: head.getInt32(18), height: head.getInt32(22),
    };
    for (let i = 0; i < count; i++) this.put(body, i * (8 + CELLS));
    this.received += count;
  }

  // Adds differences to the cells of one tile, and draws it.
  put(body, at) {
    const column = body.getInt32(at) * TILE;
    const row = body.getInt32(at + 4) * TILE;
    const chunk = this.chunk(Math.floor(column / CHUNK), Math.floor(row / CHUNK));
    const [left, below] = [column - chunk.column, row - chunk.row];
    const data = this.pixels.data;
    for (let y = 0; y < TILE; y++) {
      for (let x = 0; x < TILE; x++) {
        const cell = (below + y) * CHUNK + left + x;
        chunk.cells[cell] += body.getInt8(at + 8 + y * TILE + x);
        // Cells come from below, pixels from above.
        const pixel = 4 * ((TILE - 1 - y) * TILE + x);
        data[pixel] = data[pixel + 1] = data[pixel + 2] = grey(chunk.cells[cell]);
        data[pixel + 3] = 255;
      }
    }
    chunk.context.putImageData(this.pixels, left, CHUNK - below - TILE);
  }

  chunk(x, y) {
    const key = `${x} ${y}`;
    let chunk = this.chunks.get(key);
    if (!chunk) {
      const canvas = new OffscreenCanvas(CHUNK, CHUNK);
      const context = canvas.getContext('2d');
      context.fillStyle = `rgb(${UNKNOWN}, ${UNKNOWN}, ${UNKNOWN})`;
      context.fillRect(0, 0, CHUNK, CHUNK);
      const cells = new Int8Array(CHUNK * CHUNK).fill(-1);
      chunk = { canvas, context, cells, column: x * CHUNK, row: y * CHUNK };
      this.chunks.set(key, chunk);
    }
    return chunk;
  }

  // All cells of the map, row by row from below, as the server has them.
  cells() {
    const { column, row, width, height } = this.bounds;
    const cells = new Int8Array(width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [atX, atY] = [column + x, row + y];
        const chunk = this.chunks.get(`${Math.floor(atX / CHUNK)} ${Math.floor(atY / CHUNK)}`);
        cells[y * width + x] = chunk ? chunk.cells[(atY - chunk.row) * CHUNK + atX - chunk.column] : -1;
      }
    }
    return cells;
  }

  // Draws what a view shows of them.
  draw(context, view) {
    context.imageSmoothingEnabled = view.zoom < 1;
    for (const chunk of this.chunks.values()) {
      // Neighbours share their rounded edges: there are no gaps between them.
      const left = Math.round(view.pixelX(chunk.column));
      const right = Math.round(view.pixelX(chunk.column + CHUNK));
      const top = Math.round(view.pixelY(chunk.row + CHUNK));
      const bottom = Math.round(view.pixelY(chunk.row));
      if (right > 0 && bottom > 0 && left < view.width && top < view.height) {
        context.drawImage(chunk.canvas, left, top, right - left, bottom - top);
      }
    }
  }
}
