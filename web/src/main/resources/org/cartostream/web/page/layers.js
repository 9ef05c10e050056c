// What is drawn over the map: path, scan, closed loops and the robot. Metres in the map frame.

// Keeps what the server knows to be here, and appends the rest.
function grow(list, { keep, numbers }, width) {
  list.length = keep * width;
  for (const number of numbers) list.push(number);
}

const isShown = (name) => document.getElementById(`layer-${name}`).checked;

const LOOP_COLOUR = '#808';
const MAX_POSES = 20000;

// Particles come at some readings only, and the robot drives on: in this time one of 0.5 m/s does
// 1.5 m. At ten readings a second new ones come each second, and are well to be seen all the time.
const PARTICLES_LAST_SECONDS = 3;
const OTHER_COLOURS = ['#c50', '#07777a', '#a06', '#660'];

export const otherColour = (number) => OTHER_COLOURS[number % OTHER_COLOURS.length];

// Of the first tasks: orange as before, then others that can be told apart on white and grey.
const TASK_COLOURS = ['#f80', '#07c', '#c0a', '#0a4', '#630', '#e33', '#088', '#70b'];

export const taskColour = (task) => TASK_COLOURS[task % TASK_COLOURS.length];

// A triangle that points ahead: half a metre long, and never too small to be seen.
function drawRobot(context, x, y, pixelsPerMetre, [px, py, theta], colour) {
  const size = Math.max(10, 0.3 * pixelsPerMetre);
  context.save();
  context.translate(x(px), y(py));
  context.rotate(-theta);
  context.fillStyle = colour;
  context.strokeStyle = '#fff';
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(size, 0);
  context.lineTo(-0.7 * size, 0.6 * size);
  context.lineTo(-0.7 * size, -0.6 * size);
  context.closePath();
  context.fill();
  context.stroke();
  context.restore();
}

// Where the robot is with 95 %: around its triangle, so that a small one is hidden by it.
function drawEllipse(context, x, y, pixelsPerMetre, [px, py], [along, across, radians]) {
  context.strokeStyle = '#080';
  context.fillStyle = 'rgba(0, 136, 0, 0.15)';
  context.lineWidth = 2;
  context.beginPath();
  context.ellipse(x(px), y(py), along * pixelsPerMetre, across * pixelsPerMetre, -radians, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}

export class Layers {
  constructor() {
    this.pose = null;
    this.ellipse = null;
    this.scan = [];
    this.path = [];
    this.readings = [];
    this.corrections = [];
    this.loops = [];
    this.particles = [];
    this.particleTasks = [];
    this.particlesAgeSeconds = 0;
    this.others = [];
    this.hasState = false;
  }

  take(state) {
    this.hasState = true;
    this.pose = state.pose ?? null;
    this.ellipse = state.ellipse?.[0] > 0 ? state.ellipse : null;
    this.scan = state.scanCentimetres ?? [];
    grow(this.path, state.path, 2);
    grow(this.readings, state.readings, 3);
    grow(this.corrections, state.corrections, 3);
    this.loops = state.loops ?? this.loops; // They come when they are others.
    this.particles = state.particles ?? [];
    this.particleTasks = state.particleTasks ?? [];
    this.particlesAgeSeconds = state.particlesAgeSeconds ?? 0;
    this.others = state.others ?? [];
  }

  draw(context, view, metresPerCell) {
    const x = (metres) => view.pixelX(metres / metresPerCell);
    const y = (metres) => view.pixelY(metres / metresPerCell);
    if (this.others.length > 0 && isShown('others')) {
      this.others.forEach((other, i) => this.drawOther(context, x, y, view.zoom / metresPerCell, other, i));
    }
    if (isShown('path')) this.drawPath(context, x, y);
    if (isShown('loops')) this.drawLoops(context, x, y);
    if (isShown('corrections')) this.drawCorrections(context, x, y);
    if (isShown('particles')) this.drawParticles(context, x, y);
    if (!this.pose) return;
    if (isShown('scan')) this.drawScan(context, x, y);
    if (isShown('ellipse') && this.ellipse) {
      drawEllipse(context, x, y, view.zoom / metresPerCell, this.pose, this.ellipse);
    }
    if (isShown('robot')) drawRobot(context, x, y, view.zoom / metresPerCell, this.pose, '#080');
  }

  drawPath(context, x, y) {
    context.strokeStyle = '#06c';
    context.lineWidth = 2;
    context.beginPath();
    for (let i = 0; i < this.path.length; i += 2) context.lineTo(x(this.path[i]), y(this.path[i + 1]));
    context.stroke();
  }

  // From where the robot was to where it was when it came back.
  drawLoops(context, x, y) {
    context.strokeStyle = LOOP_COLOUR;
    context.lineWidth = 1;
    context.beginPath();
    for (let i = 0; i < this.loops.length; i += 4) {
      context.moveTo(x(this.loops[i]), y(this.loops[i + 1]));
      context.lineTo(x(this.loops[i + 2]), y(this.loops[i + 3]));
    }
    context.stroke();
  }

  drawCorrections(context, x, y) {
    context.strokeStyle = LOOP_COLOUR;
    context.lineWidth = 2;
    for (let i = 0; i < this.corrections.length; i += 3) {
      context.beginPath();
      context.arc(x(this.corrections[i]), y(this.corrections[i + 1]), 8, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  drawParticles(context, x, y) {
    context.save();
    context.globalAlpha = Math.max(0, 1 - this.particlesAgeSeconds / PARTICLES_LAST_SECONDS);
    for (let i = 0; i < this.particles.length; i += 2) {
      context.fillStyle = taskColour(this.particleTasks[i / 2] ?? 0);
      context.fillRect(x(this.particles[i]) - 2, y(this.particles[i + 1]) - 2, 4, 4);
    }
    context.restore();
  }

  drawScan(context, x, y) {
    const [px, py, theta] = this.pose;
    const cos = Math.cos(theta);
    const sin = Math.sin(theta);
    context.fillStyle = '#d00';
    for (let i = 0; i < this.scan.length; i += 2) {
      const [a, b] = [this.scan[i] / 100, this.scan[i + 1] / 100];
      context.fillRect(x(px + cos * a - sin * b) - 1, y(py + sin * a + cos * b) - 1, 3, 3);
    }
  }

  // Another run's path up to the same moment, with its robot; all of a reference, dashed.
  drawOther(context, x, y, pixelsPerMetre, { reference, poses, length, pose }, number) {
    const colour = otherColour(number);
    const stride = Math.max(1, Math.ceil(length / MAX_POSES));
    context.strokeStyle = colour;
    context.lineWidth = 2;
    context.setLineDash(reference ? [6, 4] : []);
    context.beginPath();
    for (let i = 0; i < length; i += stride) context.lineTo(x(poses.x[i]), y(poses.y[i]));
    context.stroke();
    context.setLineDash([]);
    if (pose) drawRobot(context, x, y, pixelsPerMetre * 0.7, pose, colour);
  }
}
