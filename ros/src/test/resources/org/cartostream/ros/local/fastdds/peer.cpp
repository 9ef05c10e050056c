// A peer in ROS 2's graph by Fast DDS, which is not ours, in its default configuration: peer DOMAIN
// It publishes a scan and a transform, by best effort, 20 times a second, and numbers on /count; it
// prints what it hears of /map (reliable, transient local) and /numbers, and once a second calls
// /dynamic_map, as rmw_fastrtps does.
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
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

static DataWriter* writer(Topic* topic, bool reliable) {
  DataWriterQos qos;
  qos.reliability().kind = reliable ? RELIABLE_RELIABILITY_QOS : BEST_EFFORT_RELIABILITY_QOS;
  qos.durability().kind = VOLATILE_DURABILITY_QOS;
  qos.history().depth = 1000;
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

int main(int, char** arguments) {
  using Grid = nav_msgs::msg::dds_::OccupancyGrid_;
  using Number = std_msgs::msg::dds_::Float64_;
  using Scan = sensor_msgs::msg::dds_::LaserScan_;
  using Transforms = tf2_msgs::msg::dds_::TFMessage_;
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
  DataWriter* tf = writer(topic("rt/tf", transforms), false);
  DataWriter* count = writer(topic("rt/count", numbers), true);
  using Request = nav_msgs::srv::dds_::GetMap_Request_;
  using Response = nav_msgs::srv::dds_::GetMap_Response_;
  DataWriter* requests = writer(
      topic("rq/dynamic_mapRequest", TypeSupport(new nav_msgs::srv::dds_::GetMap_Request_PubSubType())),
      true);
  static eprosima::fastrtps::rtps::SampleIdentity asked;
  DataReader* replies = reader(
      topic("rr/dynamic_mapReply", TypeSupport(new nav_msgs::srv::dds_::GetMap_Response_PubSubType())),
      false, new Reader<Response>([](Response& response, SampleInfo& info) {
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
    Transforms message;
    message.transforms().resize(1);
    message.transforms()[0].header().frame_id("odom");
    message.transforms()[0].child_frame_id("base_link");
    tf->write(&message);
    Number value;
    value.data(number);
    count->write(&value);
    PublicationMatchedStatus matched;
    requests->get_publication_matched_status(matched);
    if (number % 20 == 0 && matched.current_count > 0) {
      Request request;
      eprosima::fastrtps::rtps::WriteParams how;
      how.related_sample_identity().writer_guid() = replies->guid();
      requests->write(&request, how);
      asked = how.sample_identity();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}
