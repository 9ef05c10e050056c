// Decodes messages of a recording by Foxglove's own decoder of ROS 2's messages:
// recording-messages.cjs NODE_MODULES LINES, where LINES has what recording-messages.py prints.
const [modules, lines] = process.argv.slice(2);
const load = (name) => require(`${modules}/@foxglove/${name}`);
const { parse } = load('rosmsg');
const { MessageReader } = load('rosmsg2-serialization');

for (const line of require('fs').readFileSync(lines, 'utf8').trim().split('\n')) {
  const { topic, schema, data } = JSON.parse(line);
  const reader = new MessageReader(parse(schema, { ros2: true }));
  const content = reader.readMessage(Buffer.from(data, 'base64'));
  if (topic === '/cartostream/loops') {
    console.log('loops', content.header.frame_id, 'type', content.type, 'edges', content.points.length / 2);
  } else {
    console.log('particles', content.header.frame_id, 'each time', content.poses.length);
  }
}
