// All beside the map: how far the run is, counters, diagrams and buttons.

import uPlot from '/uplot.js';
import { otherColour } from '/layers.js';

const element = (id) => document.getElementById(id);

const PHASES = {
  waiting: 'waiting for the first reading',
  running: 'running',
  finished: 'finished',
  failed: 'given up',
  recorded: 'recorded',
};

const NONE = '–';
const SHOWN_SHARE = 0.99;

const greatest = (numbers) => numbers.reduce((a, b) => Math.max(a, b), 0);

// What 99 of 100 do not exceed: one spike shall not make a flat line of all others.
function usual(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  return sorted.length > 0 ? sorted[Math.ceil(SHOWN_SHARE * sorted.length) - 1] : 0;
}

function chart(id, colour, top) {
  const place = element(id);
  return new uPlot({
    width: place.clientWidth, height: 150,
    legend: { show: false }, cursor: { show: false },
    scales: { x: { time: false }, y: { range: ({ data }) => [0, top(data[1]) * 1.05 || 1] } },
    axes: [{ size: 30 }, { size: 60 }],
    series: [{}, { stroke: colour, width: 1 }],
  }, [[], []], place);
}

export class Panel {
  constructor() {
    this.neff = chart('neff', '#06c', greatest);
    this.millis = chart('millis', '#b50', usual);
    // The window's size is not all: a scroll bar beside them takes some of their width.
    const resized = new ResizeObserver(() => {
      for (const each of [this.neff, this.millis]) {
        each.setSize({ width: each.root.parentElement.clientWidth, height: 150 });
      }
    });
    for (const each of [this.neff, this.millis]) resized.observe(each.root.parentElement);
  }

  show(state, { readings, loops }) {
    const counts = state.counts;
    const done = counts.processed + counts.refused + counts.lost;
    element('robot').textContent = state.robot;
    document.title = `${state.robot} – Cartostream`;
    element('progress').value = counts.scans > 0 ? done / counts.scans : 0;
    const trouble = state.failure || state.trouble;
    // A run that is read from its folder has no counts; one that begins has none yet.
    const isOver = state.phase === 'finished' || state.phase === 'recorded';
    document.body.classList.toggle('uncounted', isOver && counts.scans === 0 && done === 0);
    document.body.classList.toggle('unprocessed', counts.processed === 0);
    // Nobody knows how many a live robot will send.
    element('progress').hidden = counts.scans === 0;
    const scans = counts.scans > 0 ? `: ${done} of ${counts.scans} scans` : done > 0 ? `: ${done} scans` : '';
    this.phase(`${this.phaseName(state)}${scans}${trouble ? ` – ${trouble}` : ''}`, trouble !== '');
    this.counts(state, loops.length / 4);
    const columns = [0, 1, 2].map((at) => readings.filter((_, i) => i % 3 === at));
    this.neff.setData([columns[0], columns[1]]);
    this.millis.setData([columns[0], columns[2]]);
    this.largest(columns[0], columns[2]);
    this.robots(state.robots ?? [], state.robot);
    this.others(state.others ?? []);
    this.figures(state.figures ?? []);
    this.buttons(state);
  }

  // A log has its scans: what is waited for is the service.
  phaseName({ phase, counts }) {
    return phase === 'waiting' && counts.scans > 0 ? 'starting' : PHASES[phase];
  }

  // Says what the diagram has cut off.
  largest(readings, millis) {
    const max = greatest(millis);
    element('largest').textContent = max > usual(millis) * 1.05
      ? `the largest, ${Math.round(max)} ms at reading ${readings[millis.indexOf(max)]}, is cut off` : '';
  }

  // Another one is another address. Who has named none looks at the first.
  robots(robots, shown) {
    const go = (robot) => { location.search = `?robot=${encodeURIComponent(robot)}`; };
    const select = element('robots');
    element('robots-label').hidden = robots.length < 2;
    if (robots.length > 0 && !new URLSearchParams(location.search).has('robot')) go(robots[0]);
    if (select.childElementCount === robots.length) return;
    select.replaceChildren(...robots.map((robot) => new Option(robot, robot, false, robot === shown)));
    select.onchange = () => go(select.value);
  }

  // Names in the colours of the paths.
  others(others) {
    element('others').hidden = others.length === 0;
    if (element('other-names').childElementCount === others.length) return;
    element('other-names').replaceChildren(...others.map(({ name }, number) => {
      const text = document.createElement('span');
      text.style.color = otherColour(number);
      text.textContent = name;
      return text;
    }));
  }

  figures(figures) {
    element('figures').hidden = figures.length === 0;
    if (figures === this.shownFigures) return;
    this.shownFigures = figures;
    element('figures').tBodies[0].replaceChildren(...figures.map((texts) => {
      const row = document.createElement('tr');
      for (const text of texts) row.insertCell().textContent = text;
      return row;
    }));
  }

  phase(text, bad) {
    element('phase').textContent = text;
    element('phase').className = bad ? 'bad' : '';
  }

  counts({ counts, refusals, neff, millis, correction }, loopEdges) {
    const isProcessed = counts.processed > 0;
    const rows = [
      ['processed', counts.processed],
      ['refused', counts.refused],
      ...Object.values(refusals).map(({ count, sentence }) => [sentence, count, 'reason']),
      ['lost', counts.lost],
      ['loop edges', loopEdges],
      ['closed loops moved the map', `${correction} ×`],
      ['Neff', isProcessed ? neff.toFixed(1) : NONE],
      ['the latest took', isProcessed ? `${millis.toFixed(1)} ms` : NONE],
    ];
    element('counts').replaceChildren(...rows.map(([name, value, kind = '']) => {
      const row = document.createElement('tr');
      row.className = kind;
      for (const text of [name, value]) row.insertCell().textContent = text;
      return row;
    }));
  }

  buttons({ buttons, phase }) {
    const wanted = phase === 'running' || phase === 'waiting' ? buttons : [];
    if (wanted.join() === this.shown) return;
    this.shown = wanted.join();
    element('buttons').replaceChildren(...wanted.map((name) => {
      const button = document.createElement('button');
      button.textContent = `${name} the run`;
      button.onclick = async () => {
        button.disabled = true;
        const answer = await fetch(`/api/${name}`, { method: 'POST' });
        if (!answer.ok) this.phase(await answer.text(), true);
      };
      return button;
    }));
  }
}
