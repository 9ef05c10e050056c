// Who is alive: the tree of a service's hosts, processes, tasks and robots, and what happened lately on
// a time line. The server is asked once a second; it answers null if the page is not a service's.

const PERIOD_MILLIS = 1000;
const LINE_SECONDS = 600;
const MAX_LINES = 12;
const SVG = 'http://www.w3.org/2000/svg';

const element = (id) => document.getElementById(id);

function make(tag, kind, text, ...children) {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = text;
  made.append(...children);
  return made;
}

const SAID = {
  HERE: () => '',
  LATE: (seconds) => `late: ${seconds.toFixed(1)} s`,
  GONE: (seconds) => `gone: ${seconds.toFixed(0)} s`,
};

function box(name, { sign, silentSeconds }, ...children) {
  const said = make('span', 'said', SAID[sign](silentSeconds));
  return make('li', sign.toLowerCase(), '', make('span', 'box', `${name} `, said), ...children);
}

function task(each) {
  const more = each.moreRobots > 0 ? [`and ${each.moreRobots} more`] : [];
  const robots = [...each.robots, ...more].map((name) => make('li', 'robot', name));
  return box(`${each.component} ${each.number}`, each, make('ul', '', '', ...robots));
}

function worker(each) {
  return box(`process ${each.process}`, each, make('ul', '', '', ...each.tasks.map(task)));
}

function host(each) {
  return make('li', 'host', each.name, make('ul', '', '', ...each.workers.map(worker)));
}

function service(each) {
  return make('li', 'service', each.name, make('ul', '', '', ...each.hosts.map(host)));
}

// A mark for each event of the last ten minutes; the newest are at the right.
function drawLine(events) {
  element('line').replaceChildren(...events
    .filter(({ secondsAgo }) => secondsAgo <= LINE_SECONDS)
    .map(({ kind, sentence, secondsAgo }) => {
      const mark = document.createElementNS(SVG, 'rect');
      mark.setAttribute('class', kind.toLowerCase());
      mark.setAttribute('x', 1000 * (1 - secondsAgo / LINE_SECONDS) - 3);
      mark.setAttribute('y', 0);
      mark.setAttribute('width', 6);
      mark.setAttribute('height', 30);
      const title = document.createElementNS(SVG, 'title');
      title.textContent = sentence;
      mark.append(title);
      return mark;
    }));
}

function clock(secondsAgo) {
  return new Date(Date.now() - 1000 * secondsAgo).toLocaleTimeString();
}

function show({ trouble, services, events }) {
  element('tasks').hidden = false;
  element('tasks-trouble').textContent = trouble || (services.length === 0 ? 'nobody is heard of yet' : '');
  element('tree').replaceChildren(...services.map(service));
  drawLine(events);
  element('happened').replaceChildren(...events.slice(0, MAX_LINES).map(({ kind, sentence, secondsAgo }) =>
    make('li', kind.toLowerCase(), `${clock(secondsAgo)} ${sentence}`)));
}

export async function watchTasks() {
  try {
    const tree = await (await fetch('/api/tasks')).json();
    if (!tree) return;
    show(tree);
  } catch {
    element('tasks-trouble').textContent = 'the server does not answer';
  }
  setTimeout(watchTasks, PERIOD_MILLIS);
}
