// Foxglove's own client of its protocol foxglove.websocket.v1, with its own decoder of ROS 2's
// messages: client.cjs NODE_MODULES URL. Prints what it was sent.
const [modules, url] = process.argv.slice(2);
const load = (name) => require(`${modules}/${name}`);
const { FoxgloveClient } = load('@foxglove/ws-protocol');
const { WebSocket } = load('ws');
const { parse } = load('@foxglove/rosmsg');
const { MessageReader } = load('@foxglove/rosmsg2-serialization');

const WANTED = ['/map', '/scan', '/cartostream/pose', '/cartostream/particles', '/cartostream/loops'];
const socket = new WebSocket(url, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
const client = new FoxgloveClient({ ws: socket });
const topics = new Map();

client.on('error', (error) => {
  console.log('error', error.message);
  process.exit(1);
});
client.on('serverInfo', ({ name, capabilities }) => console.log('server', name, capabilities.join()));
client.on('advertise', (channels) => {
  console.log('protocol', socket.protocol);
  console.log('channels', channels.length);
  for (const channel of channels) {
    const reader = channel.encoding === 'cdr'
      ? new MessageReader(parse(channel.schema, { ros2: true })) : null;
    if (WANTED.includes(channel.topic)) {
      topics.set(client.subscribe(channel.id), { topic: channel.topic, reader });
    }
  }
});
client.on('message', ({ subscriptionId, data }) => {
  const { topic, reader } = topics.get(subscriptionId);
  const at = WANTED.indexOf(topic);
  if (at < 0) return;
  WANTED.splice(at, 1);
  const content = reader.readMessage(data);
  if (topic === '/map') {
    console.log('map', content.info.width, content.info.height, Array.from(content.data).join());
  } else if (topic === '/scan') {
    console.log('scan', Array.from(content.ranges).join());
  } else if (topic === '/cartostream/particles') {
    const { x, y } = content.poses[0].position;
    console.log('particles', content.header.frame_id, content.poses.length, x, y);
  } else if (topic === '/cartostream/loops') {
    const places = content.points.flatMap(({ x, y }) => [x, y]);
    console.log('loops', content.header.frame_id, content.type, places.join());
  } else {
    console.log('pose', content.header.frame_id, content.pose.position.x);
  }
  if (WANTED.length === 0) process.exit(0);
});
