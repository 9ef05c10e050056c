// What part of the map the canvas shows. Places are in cells from the map frame's origin, x to the
// right and y upwards; zoom is in pixels of the screen per cell.

const MIN_ZOOM = 1 / 32;
const MAX_ZOOM = 64;

export class View {
  constructor() {
    this.x = 0;
    this.y = 0;
    this.zoom = 1;
    this.width = 1;
    this.height = 1;
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
  }

  // Whole pixels at whole zooms, so that a cell is not smeared over two.
  pixelX(column) {
    return Math.round(this.width / 2 - this.x * this.zoom) + column * this.zoom;
  }

  pixelY(row) {
    return Math.round(this.height / 2 + this.y * this.zoom) - row * this.zoom;
  }

  column(pixelX) {
    return (pixelX - this.width / 2) / this.zoom + this.x;
  }

  row(pixelY) {
    return (this.height / 2 - pixelY) / this.zoom + this.y;
  }

  move(pixelsRight, pixelsDown) {
    this.x -= pixelsRight / this.zoom;
    this.y += pixelsDown / this.zoom;
  }

  centre(column, row) {
    this.x = column;
    this.y = row;
  }

  // Zooms, and keeps the place at a pixel where it is.
  zoomBy(factor, pixelX = this.width / 2, pixelY = this.height / 2) {
    this.zoomTo(this.zoom * factor, pixelX, pixelY);
  }

  zoomTo(zoom, pixelX = this.width / 2, pixelY = this.height / 2) {
    const column = this.column(pixelX);
    const row = this.row(pixelY);
    this.zoom = Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom));
    this.x += column - this.column(pixelX);
    this.y += row - this.row(pixelY);
  }

  // Shows all of a map.
  fit(bounds) {
    const zoom = 0.95 * Math.min(this.width / bounds.width, this.height / bounds.height);
    this.zoomTo(Math.min(zoom, 8));
    this.centre(bounds.column + bounds.width / 2, bounds.row + bounds.height / 2);
  }
}
