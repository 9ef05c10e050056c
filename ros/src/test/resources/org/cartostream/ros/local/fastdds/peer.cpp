// A peer in ROS 2's graph by Fast DDS, which is not ours, as it is by default:
// peer DOMAIN [drive]
// It prints what it hears of /map (reliable, transient local), /numbers, and of map to odom on /tf.
// It publishes a scan and a transform, by best effort, 20 times a second, and numbers on /count; and
// calls /dynamic_map, as rmw_fastrtps does, at most once a second. Or else it plays the drive in
// drive.txt, as cyclone.py does.
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/DataReaderListener.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/TypeSupport.hpp>

#include "RosPubSubTypes.h"

using namespace eprosima::fastdds::dds;

static DomainParticipant* participant;

template <class T>
class Reader : public DataReaderListener {
 public:
  explicit Reader(std::function<void(T&, SampleInfo&)> use) : use(use) {}
  void on_data_available(DataReader* reader) override {
    T sample;
    SampleInfo info;
    while (reader->take_next_sample(&sample, &info) == ReturnCode_t::RETCODE_OK) {
      if (info.valid_data) use(sample, info);
    }
  }

 private:
  std::function<void(T&, SampleInfo&)> use;
};

static Topic* topic(const char* name, TypeSupport type) {
  type.register_type(participant);
  return participant->create_topic(name, type.get_type_name(), TOPIC_QOS_DEFAULT);
}

static DataWriter* writer(Topic* topic, bool reliable, bool latched = false) {
  DataWriterQos qos;
  qos.reliability().kind = reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  qos.durability().kind = latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
  qos.history().depth = latched ? 1 : 1000;
  static Publisher* publisher = participant->create_publisher(PUBLISHER_QOS_DEFAULT);
  return publisher->create_datawriter(topic, qos);
}

static DataReader* reader(Topic* topic, bool latched, DataReaderListener* listener) {
  DataReaderQos qos;
  qos.reliability().kind = RELIABLE_RELIABILITY_QOS;
  qos.durability().kind = latched ? TRANSIENT_LOCAL_DURABILITY_QOS : VOLATILE_DURABILITY_QOS;
  qos.history().depth = latched ? 1 : 1000;
  static Subscriber* subscriber = participant->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
  return subscriber->create_datareader(topic, qos, listener);
}

using Scan = sensor_msgs::msg::dds_::LaserScan_;
using Transforms = tf2_msgs::msg::dds_::TFMessage_;

static void rest(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

static bool heard(DataWriter* writer) {
  PublicationMatchedStatus matched;
  writer->get_publication_matched_status(matched);
  return matched.current_count > 0;
}

static void stamp(std_msgs::msg::dds_::Header_& header, long long nanos) {
  header.stamp().sec(static_cast<int>(nanos / 1000000000));
  header.stamp().nanosec(static_cast<unsigned>(nanos % 1000000000));
}

static void transform(DataWriter* to, long long nanos, const char* frame, const char* child,
                      double x, double y, double theta) {
  Transforms message;
  message.transforms().resize(1);
  auto& only = message.transforms()[0];
  stamp(only.header(), nanos);
  only.header().frame_id(frame);
  only.child_frame_id(child);
  only.transform().translation().x(x);
  only.transform().translation().y(y);
  only.transform().rotation().z(std::sin(theta / 2));
  only.transform().rotation().w(std::cos(theta / 2));
  to->write(&message);
}

static void drive(DataWriter* scans, DataWriter* tf, DataWriter* mounts) {
  std::ifstream file("drive.txt");
  std::string line;
  std::getline(file, line);
  double x, start, step, least, most;
  std::istringstream(line) >> x >> start >> step >> least >> most;
  transform(mounts, 0, "base_link", "laser", x, 0, 0);
  while (!heard(scans) || !heard(tf)) rest(10);
  int count = 0;
  for (; std::getline(file, line); count++) {
    std::istringstream words(line);
    long long nanos;
    double theta, y;
    words >> nanos >> x >> y >> theta;
    transform(tf, nanos - 5000000, "odom", "base_link", x, y, theta);
    Scan scan;
    stamp(scan.header(), nanos);
    scan.header().frame_id("laser");
    for (std::string range; words >> range;) scan.ranges().push_back(std::stof(range));
    scan.angle_min(start);
    scan.angle_max(start + step * (scan.ranges().size() - 1));
    scan.angle_increment(step);
    scan.range_min(least);
    scan.range_max(most);
    scans->write(&scan);
    transform(tf, nanos + 5000000, "odom", "base_link", x, y, theta);
    rest(100);
  }
  std::cout << "driven " << count << std::endl;
  while (true) rest(1000);
}

int main(int count_of_arguments, char** arguments) {
  using Grid = nav_msgs::msg::dds_::OccupancyGrid_;
  using Number = std_msgs::msg::dds_::Float64_;
  participant = DomainParticipantFactory::get_instance()->create_participant(
      std::atoi(arguments[1]), PARTICIPANT_QOS_DEFAULT);
  TypeSupport numbers(new std_msgs::msg::dds_::Float64_PubSubType());
  TypeSupport transforms(new tf2_msgs::msg::dds_::TFMessage_PubSubType());
  reader(topic("rt/map", TypeSupport(new nav_msgs::msg::dds_::OccupancyGrid_PubSubType())), true,
         new Reader<Grid>([](Grid& grid, SampleInfo&) {
           unsigned long sum = 0;
           for (unsigned char each : grid.data()) sum = sum * 31 + each;
           std::cout << "map " << grid.info().width() << " " << grid.info().height() << " "
                     << (sum & 0xffffffffUL) << std::endl;
         }));
  reader(topic("rt/numbers", numbers), false, new Reader<Number>([](Number& number, SampleInfo&) {
           std::cout << "number " << static_cast<int>(number.data()) << std::endl;
         }));
  DataWriter* scans = writer(
      topic("rt/scan", TypeSupport(new sensor_msgs::msg::dds_::LaserScan_PubSubType())), false);
  Topic* moved = topic("rt/tf", transforms);
  DataWriter* tf = writer(moved, false);
  reader(moved, false, new Reader<Transforms>([](Transforms& message, SampleInfo&) {
           using namespace std::chrono;
           for (auto& each : message.transforms()) {
             if (each.header().frame_id() == "map")
               std::cout << "tf map " << each.child_frame_id() << " "
                         << duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count()
                         << std::endl;
           }
         }));
  if (count_of_arguments > 2) {
    drive(scans, tf, writer(topic("rt/tf_static", transforms), true, true));
  }
  DataWriter* count = writer(topic("rt/count", numbers), true);
  using Request = nav_msgs::srv::dds_::GetMap_Request_;
  using Response = nav_msgs::srv::dds_::GetMap_Response_;
  DataWriter* requests = writer(
      topic("rq/dynamic_mapRequest", TypeSupport(new nav_msgs::srv::dds_::GetMap_Request_PubSubType())),
      true);
  static eprosima::fastrtps::rtps::SampleIdentity asked;
  static bool waiting = false;
  static std::mutex asking;
  DataReader* replies = reader(
      topic("rr/dynamic_mapReply", TypeSupport(new nav_msgs::srv::dds_::GetMap_Response_PubSubType())),
      false, new Reader<Response>([](Response& response, SampleInfo& info) {
        std::lock_guard<std::mutex> lock(asking);
        waiting = false;
        bool mine = info.related_sample_identity.sequence_number() == asked.sequence_number() &&
                    info.related_sample_identity.writer_guid() == asked.writer_guid();
        std::cout << "reply " << response.grid().info().width() << (mine ? " mine" : " other's")
                  << std::endl;
      }));
  Scan scan;
  scan.header().frame_id("laser");
  scan.angle_min(-3.14f);
  scan.angle_increment(0.00872f);
  scan.range_max(12);
  scan.ranges().resize(720, 2.5f);
  scan.ranges()[719] = std::numeric_limits<float>::infinity();
  for (int number = 0;; number++) {
    scans->write(&scan);
    transform(tf, 0, "odom", "base_link", 0, 0, 0);
    Number value;
    value.data(number);
    count->write(&value);
    SubscriptionMatchedStatus matched;
    replies->get_subscription_matched_status(matched);
    std::unique_lock<std::mutex> lock(asking);
    if (number % 20 == 0 && heard(requests) && matched.current_count > 0 && !waiting) {
      waiting = true;
      Request request;
      eprosima::fastrtps::rtps::WriteParams how;
      how.related_sample_identity().writer_guid() = replies->guid();
      requests->write(&request, how);
      asked = how.sample_identity();
    }
    lock.unlock();
    rest(50);
  }
}
