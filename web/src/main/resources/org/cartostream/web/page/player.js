// Plays a run that is over: which of its steps (one a reading) is shown, and when the next one is.
// What it shows goes the way of a live run's updates. Play, pause, step, seek, speed, labels, and a
// link to the moment.

const MAX_POSES = 20000;
const MAX_READINGS = 4000;
const SAID_AT_ONCE = 6;

const element = (id) => document.getElementById(id);

function clock(seconds) {
  const whole = Math.floor(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (number) => String(number).padStart(2, '0');
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

// Rows of some columns that a page can hold at once; and as many of them as there are at a step.
class Rows {
  constructor(columns, from, max) {
    this.columns = columns;
    this.from = from;
    this.stride = Math.max(1, Math.ceil((columns[0].length - from) / max));
    this.shown = 0;
  }

  // As the server tells a live run's page: how many to keep, and the numbers of the others.
  upTo(step) {
    const last = Math.min(step, this.columns[0].length - 1);
    const count = last < this.from ? 0 : Math.floor((last - this.from) / this.stride) + 1;
    const numbers = [];
    for (let row = this.shown; row < count; row++) {
      for (const column of this.columns) numbers.push(column[this.from + row * this.stride]);
    }
    const keep = Math.min(this.shown, count);
    this.shown = count;
    return { keep, numbers };
  }

  forget() {
    this.shown = 0;
  }
}

// The last place in ascending numbers that is not above one; -1 if all are.
function lastUpTo(numbers, max) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= max) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

export class Player {
  // data: tiles(shown, wanted), scan(step) and loops(number) are promises; label(seconds, text) if
  // there can be any.
  constructor(run, data, handlers) {
    this.run = run;
    this.data = data;
    this.handlers = handlers;
    this.steps = run.steps;
    this.count = this.steps.seconds.length;
    this.path = new Rows([this.steps.x, this.steps.y], this.steps.firstPose, MAX_POSES);
    this.closedPath = new Rows([run.path.x, run.path.y], 0, MAX_POSES);
    // A report has the path alone.
    const figures = this.steps.neff ? [this.steps.reading, this.steps.neff, this.steps.millis] : [[]];
    this.readings = new Rows(figures, 0, MAX_READINGS);
    this.corrections = this.correctionsOf(run.corrections ?? []);
    this.others = run.others.map((other) => ({ ...other, length: 0, pose: null }));
    this.shownMap = -1;
    this.shownLoops = -1;
    this.step = this.count - 1;
    this.playing = false;
    this.busy = false;
    this.bind();
    const asked = new URLSearchParams(location.search).get('t');
    const seconds = asked === null ? NaN : Number(asked);
    this.seek(Number.isFinite(seconds) ? this.stepAt(seconds) : this.count - 1);
  }

  // Where the robot was when the map was moved by closed loops.
  correctionsOf(ofMaps) {
    const found = [];
    for (let step = 1; step < this.count; step++) {
      const [before, now] = [ofMaps[this.steps.map[step - 1]] ?? 0, ofMaps[this.steps.map[step]] ?? 0];
      if (now > before) found.push({ step, row: [this.steps.x[step], this.steps.y[step], 0] });
    }
    return found;
  }

  bind() {
    element('player').hidden = false;
    element('seek').max = this.count - 1;
    element('seek').oninput = () => { this.pause(); this.seek(Number(element('seek').value)); };
    element('play').onclick = () => this.toggle();
    element('back').onclick = () => this.by(-1);
    element('ahead').onclick = () => this.by(1);
    element('speed').onchange = () => this.changeSpeed();
    element('link').onclick = () => this.link();
    const keys = {
      ' ': () => this.toggle(),
      ',': () => this.by(-1),
      '.': () => this.by(1),
      '<': () => this.faster(-1),
      '>': () => this.faster(1),
      Home: () => this.by(-this.count),
      End: () => this.by(this.count),
      t: () => this.link(),
      l: () => element('label-text').focus(),
    };
    document.addEventListener('keydown', (event) => {
      const action = keys[event.key];
      const isFree = event.target === document.body || event.target.id === 'map';
      if (!action || !isFree || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      action();
    });
    this.bindLabels();
  }

  // --- moving ----------------------------------------------------------------------------------

  stepAt(seconds) {
    return Math.max(0, lastUpTo(this.steps.seconds, seconds + 1e-6));
  }

  by(steps) {
    this.pause();
    this.seek(this.step + steps);
  }

  seek(step) {
    this.step = Math.min(this.count - 1, Math.max(0, step));
    this.refresh();
  }

  faster(by) {
    const speed = element('speed');
    speed.selectedIndex = Math.min(speed.length - 1, Math.max(0, speed.selectedIndex + by));
    this.changeSpeed();
  }

  get speed() {
    return Number(element('speed').value);
  }

  changeSpeed() {
    this.restart();
    this.refresh();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  pause() {
    this.playing = false;
    this.press();
  }

  play() {
    if (this.step === this.count - 1) this.seek(0);
    this.playing = true;
    this.press();
    this.restart();
    requestAnimationFrame(() => this.tick());
  }

  press() {
    element('play').textContent = this.playing ? 'pause' : 'play';
  }

  // From here and now on, at the speed of now.
  restart() {
    this.began = { at: performance.now(), seconds: this.steps.seconds[this.step] };
  }

  tick() {
    if (!this.playing) return;
    const passed = (performance.now() - this.began.at) / 1000;
    const step = this.stepAt(this.began.seconds + passed * this.speed);
    if (step !== this.step) this.seek(step);
    if (step === this.count - 1) this.pause();
    requestAnimationFrame(() => this.tick());
  }

  // --- showing ---------------------------------------------------------------------------------

  // Shows the step of now, and what became it meanwhile; one at a time.
  async refresh() {
    this.showMoment();
    if (this.busy) return;
    this.busy = true;
    try {
      for (let shown = -1; shown !== this.step;) {
        shown = this.step;
        await this.show(shown);
      }
    } catch (failure) {
      this.pause();
      this.handlers.onClosed(failure.message);
    } finally {
      this.busy = false;
    }
  }

  async show(step) {
    const map = this.steps.map[step];
    const wanted = this.steps.loops?.[step] ?? -1;
    const [tiles, seen, loops] = await Promise.all([
      map >= 0 && map !== this.shownMap ? this.data.tiles(this.shownMap, map) : null,
      this.data.scan(step),
      wanted === this.shownLoops ? undefined : wanted < 0 ? [] : this.data.loops(wanted),
    ]);
    this.shownLoops = wanted;
    if (tiles) {
      await this.handlers.onTiles(tiles);
      this.shownMap = map;
    }
    // To who looks on the robot's clock is so much faster.
    const particlesAgeSeconds = (seen.particlesAgeSeconds ?? 0) / this.speed;
    const ellipse = this.isEnd(step) ? null : seen.ellipse; // The last pose is the final path's.
    this.handlers.onState({ ...this.state(step), ...seen, ellipse, particlesAgeSeconds, loops });
    element('map').dataset.step = step; // What tests wait for.
  }

  isEnd(step) {
    return step === this.count - 1 && this.run.path.x.length > 0;
  }

  state(step) {
    const of = this.steps;
    const isEnd = this.isEnd(step);
    const closed = this.run.path;
    const pose = isEnd
      ? [closed.x.at(-1), closed.y.at(-1), closed.theta.at(-1)]
      : step >= of.firstPose ? [of.x[step], of.y[step], of.theta[step]] : undefined;
    this.closedPath.forget();
    if (isEnd) this.path.forget();
    const corrections = this.corrections.filter((each) => each.step <= step);
    return {
      robot: this.run.name,
      phase: 'recorded',
      failure: '',
      trouble: this.run.damage,
      counts: {
        scans: of.processed ? this.count : 0,
        processed: of.processed?.[step] ?? 0, refused: of.refused?.[step] ?? 0, lost: of.lost?.[step] ?? 0,
      },
      refusals: {},
      neff: of.neff?.[step] ?? 0,
      millis: of.millis?.[step] ?? 0,
      correction: this.run.corrections?.[of.map[step]] ?? 0,
      pose,
      path: isEnd ? this.closedPath.upTo(closed.x.length - 1) : this.path.upTo(step),
      readings: this.readings.upTo(step),
      corrections: { keep: 0, numbers: corrections.flatMap((each) => each.row) },
      others: this.othersAt(of.seconds[step]),
      figures: this.run.figures,
      buttons: [],
    };
  }

  othersAt(seconds) {
    for (const other of this.others) {
      const { poses } = other;
      const at = lastUpTo(poses.seconds, seconds + 1e-6);
      other.length = other.reference ? poses.x.length : at + 1;
      other.pose = at < 0 ? null : [poses.x[at], poses.y[at], poses.theta[at]];
    }
    return this.others;
  }

  showMoment() {
    const seconds = this.steps.seconds[this.step];
    element('seek').value = this.step;
    element('moment').textContent = `${clock(seconds)} of ${clock(this.steps.seconds.at(-1))}`;
    element('moment').title = `reading ${this.steps.reading[this.step]}, ${seconds} s after the first`;
    const said = this.run.events.filter((each) => each.step <= this.step).slice(-SAID_AT_ONCE);
    element('said-part').hidden = this.run.events.length === 0;
    element('said').replaceChildren(...said.map((each) => {
      const item = document.createElement('li');
      item.textContent = `${clock(this.steps.seconds[Math.min(each.step, this.count - 1)])} ${each.sentence}`;
      return item;
    }));
  }

  // --- links and labels ------------------------------------------------------------------------

  async link() {
    const url = new URL(location.href);
    url.searchParams.set('t', this.steps.seconds[this.step]);
    try {
      history.replaceState(null, '', url);
    } catch { /* Some browsers do not let a file have another address. */ }
    try {
      await navigator.clipboard.writeText(url.href);
      element('linked').textContent = 'the link to this moment is copied';
    } catch {
      element('linked').textContent = url.href;
    }
  }

  bindLabels() {
    element('labels').hidden = !this.data.label && this.run.labels.length === 0;
    element('label-form').hidden = !this.data.label;
    element('label-form').onsubmit = (event) => {
      event.preventDefault();
      const field = element('label-text');
      this.label(this.steps.seconds[this.step], field.value);
      field.value = '';
      element('map').focus();
    };
    this.showLabels();
  }

  async label(seconds, text) {
    try {
      this.run.labels = await this.data.label(seconds, text);
      this.showLabels();
    } catch (failure) {
      this.handlers.onClosed(failure.message);
    }
  }

  showLabels() {
    element('marks').replaceChildren(...this.run.labels.map(({ seconds, text }) => {
      const mark = document.createElement('option');
      mark.value = this.stepAt(seconds);
      mark.label = text;
      return mark;
    }));
    element('label-list').replaceChildren(...this.run.labels.map(({ seconds, text }) => {
      const item = document.createElement('li');
      const go = document.createElement('button');
      go.textContent = `${clock(seconds)} ${text}`;
      go.onclick = () => { this.pause(); this.seek(this.stepAt(seconds)); };
      item.append(go);
      if (this.data.label) {
        const remove = document.createElement('button');
        remove.textContent = '×';
        remove.title = `remove “${text}”`;
        remove.onclick = () => this.label(seconds, '');
        item.append(remove);
      }
      return item;
    }));
  }
}
