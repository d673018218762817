// A peer on Fast DDS, with requests and replies tied together as rmw_fastrtps_cpp does it: a request carries the identity of
// the reader of its reply, the reply the identity of the request. Messages pass as bytes, by a type of our own.
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/dds/topic/Topic.hpp>
#include <fastdds/dds/topic/TopicDataType.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>

#include <mutex>

#include "peer.hpp"

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
using eprosima::fastrtps::types::ReturnCode_t;

namespace {

// Takes bytes as they are, header first.
struct BytesType : fast::TopicDataType {
    explicit BytesType(const std::string& name) {
        setName(name.c_str());
        m_typeSize = 1024;
        m_isGetKeyDefined = false;
        auto_fill_type_information(false);
        auto_fill_type_object(false);
    }
    bool serialize(void* from, rtps::SerializedPayload_t* payload) override {
        const auto& bytes = *static_cast<Bytes*>(from);
        if (bytes.size() > payload->max_size) return false;
        memcpy(payload->data, bytes.data(), bytes.size());
        payload->length = static_cast<uint32_t>(bytes.size());
        payload->encapsulation = bytes.size() > 1 && bytes[1] == 0 ? CDR_BE : CDR_LE;
        return true;
    }
    bool deserialize(rtps::SerializedPayload_t* payload, void* into) override {
        static_cast<Bytes*>(into)->assign(payload->data, payload->data + payload->length);
        return true;
    }
    std::function<uint32_t()> getSerializedSizeProvider(void* from) override {
        return [from] { return static_cast<uint32_t>(static_cast<Bytes*>(from)->size()); };
    }
    void* createData() override { return new Bytes; }
    void deleteData(void* bytes) override { delete static_cast<Bytes*>(bytes); }
    bool getKey(void*, rtps::InstanceHandle_t*, bool) override { return false; }
};

template <typename Qos>
Qos with(Qos qos, const std::string& kind) {
    const bool latched = kind == "latched";
    qos.reliability().kind = kind == "best_effort" ? fast::BEST_EFFORT_RELIABILITY_QOS : fast::RELIABLE_RELIABILITY_QOS;
    qos.durability().kind = latched ? fast::TRANSIENT_LOCAL_DURABILITY_QOS : fast::VOLATILE_DURABILITY_QOS;
    // The default of 0.1 s makes writing fail while the node is stopped or the machine is busy, and the peer end with it.
    qos.reliability().max_blocking_time = eprosima::fastrtps::Duration_t(20, 0);
    qos.history().kind = fast::KEEP_LAST_HISTORY_QOS;
    qos.history().depth = latched ? 100 : 4000;
    qos.resource_limits().max_samples = 5000;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    return qos;
}

struct Fast;

struct Writer {
    fast::DataWriter* writer;
    bool matched() {
        fast::PublicationMatchedStatus status;
        writer->get_publication_matched_status(status);
        return status.current_count > 0;
    }
    rtps::SampleIdentity write(const Bytes& bytes, const rtps::GUID_t& reply_to = rtps::GUID_t::unknown()) {
        rtps::WriteParams parameters;
        parameters.related_sample_identity().writer_guid() = reply_to;
        if (!writer->write(const_cast<Bytes*>(&bytes), parameters)) throw std::runtime_error("write failed");
        return parameters.sample_identity();
    }
};

struct Reader {
    fast::DataReader* reader;
    bool matched() {
        fast::SubscriptionMatchedStatus status;
        reader->get_subscription_matched_status(status);
        return status.current_count > 0;
    }
    std::optional<Bytes> take(Milliseconds at_most, fast::SampleInfo& info) {
        const auto end = Clock::now() + at_most;
        for (;;) {
            Bytes bytes;
            if (reader->take_next_sample(&bytes, &info) == ReturnCode_t::RETCODE_OK) {
                if (info.valid_data) return bytes;
                continue;
            }
            const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(end - Clock::now()).count();
            if (left <= 0) return std::nullopt;
            reader->wait_for_unread_message({static_cast<int32_t>(left / 1000000000), static_cast<uint32_t>(left % 1000000000)});
        }
    }
};

struct FastClient : Client {
    Writer requests;
    Reader replies;
    rtps::GUID_t writer;

    FastClient(Writer requests, Reader replies) : requests(requests), replies(replies) {}

    bool matched() override { return requests.matched() && replies.matched(); }
    int64_t send(const Bytes& request) override {
        const auto identity = requests.write(request, replies.reader->guid());
        writer = identity.writer_guid();
        return static_cast<int64_t>(identity.sequence_number().to64long());
    }
    std::optional<std::pair<int64_t, Bytes>> next(Milliseconds at_most) override {
        const auto end = Clock::now() + at_most;
        for (;;) {
            fast::SampleInfo info;
            const auto left = std::chrono::duration_cast<Milliseconds>(end - Clock::now());
            auto reply = replies.take(std::max(left, Milliseconds(0)), info);
            if (!reply) return std::nullopt;
            // Servers name the client by its writer or by its reader.
            const auto& identity = info.related_sample_identity;
            const auto& client = identity.writer_guid();
            if (client != writer && client != replies.reader->guid()) continue;
            return std::make_pair(static_cast<int64_t>(identity.sequence_number().to64long()), std::move(*reply));
        }
    }
};

struct FastPublisher : Publisher {
    Writer writer;
    explicit FastPublisher(Writer writer) : writer(writer) {}
    bool matched() override { return writer.matched(); }
    void publish(const Bytes& message) override { writer.write(message); }
};

struct FastSubscriber : Subscriber {
    Reader reader;
    explicit FastSubscriber(Reader reader) : reader(reader) {}
    std::optional<Bytes> take(Milliseconds at_most) override {
        fast::SampleInfo info;
        return reader.take(at_most, info);
    }
};

// Notes the endpoints that are discovered.
struct Discovery : fast::DomainParticipantListener {
    std::mutex mutex;
    std::vector<Endpoint> found;

    template <typename Data>
    void add(const Data& data) {
        const auto& bytes = data.m_qos.m_userData;
        const std::lock_guard<std::mutex> guard(mutex);
        found.push_back({data.topicName().to_string(), data.typeName().to_string(), std::string(bytes.begin(), bytes.end())});
    }
    void on_publisher_discovery(fast::DomainParticipant*, rtps::WriterDiscoveryInfo&& writer) override {
        if (writer.status == rtps::WriterDiscoveryInfo::DISCOVERED_WRITER) add(writer.info);
    }
    void on_subscriber_discovery(fast::DomainParticipant*, rtps::ReaderDiscoveryInfo&& reader) override {
        if (reader.status == rtps::ReaderDiscoveryInfo::DISCOVERED_READER) add(reader.info);
    }
};

struct Fast : Middleware {
    Discovery discovery;
    fast::DomainParticipant* participant;
    fast::Publisher* publisher;
    fast::Subscriber* subscriber;

    Fast() {
        fast::DomainParticipantQos qos;
        // One network, and by UDP: shared memory is between Fast DDS and itself.
        auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
        const char* address = std::getenv("PEER_ADDRESS");
        if (!address) throw std::runtime_error("PEER_ADDRESS is not set");
        udp->interfaceWhiteList.push_back(address);
        qos.transport().use_builtin_transports = false;
        qos.transport().user_transports.push_back(udp);
        participant = fast::DomainParticipantFactory::get_instance()->create_participant(
            domain(), qos, &discovery, fast::StatusMask::none());
        if (!participant) throw std::runtime_error("no participant");
        publisher = participant->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
        subscriber = participant->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
    }

    fast::Topic* topic(const std::string& name, const std::string& type) {
        if (auto known = participant->lookup_topicdescription(name)) return static_cast<fast::Topic*>(known);
        fast::TypeSupport support(new BytesType(type));
        support.register_type(participant);
        auto made = participant->create_topic(name, type, fast::TOPIC_QOS_DEFAULT);
        if (!made) throw std::runtime_error("no topic " + name);
        return made;
    }
    Writer writer(const std::string& name, const std::string& type, const std::string& qos) {
        auto made = publisher->create_datawriter(topic(name, type), with(fast::DATAWRITER_QOS_DEFAULT, qos));
        if (!made) throw std::runtime_error("no writer of " + name);
        return {made};
    }
    Reader reader(const std::string& name, const std::string& type, const std::string& qos) {
        auto made = subscriber->create_datareader(topic(name, type), with(fast::DATAREADER_QOS_DEFAULT, qos));
        if (!made) throw std::runtime_error("no reader of " + name);
        return {made};
    }

    std::unique_ptr<Client> client(const std::string& name, const std::string& type) override {
        const auto replies = reader("rr" + name + "Reply", dds_type(type, "_Response_"), "reliable");
        return std::make_unique<FastClient>(writer("rq" + name + "Request", dds_type(type, "_Request_"), "reliable"), replies);
    }
    std::unique_ptr<Publisher> advertise(const std::string& name, const std::string& type, const std::string& qos) override {
        return std::make_unique<FastPublisher>(writer("rt" + name, dds_type(type, "_"), qos));
    }
    std::unique_ptr<Subscriber> subscribe(const std::string& name, const std::string& type, const std::string& qos) override {
        return std::make_unique<FastSubscriber>(reader("rt" + name, dds_type(type, "_"), qos));
    }
    std::vector<Endpoint> endpoints() override {
        const std::lock_guard<std::mutex> guard(discovery.mutex);
        return std::exchange(discovery.found, {});
    }
    ~Fast() override {
        participant->set_listener(nullptr);
        participant->delete_contained_entities();
        fast::DomainParticipantFactory::get_instance()->delete_participant(participant);
    }
};

}  // namespace

int main() {
    try {
        Fast fast;
        return serve_commands(fast);
    } catch (const std::exception& error) {
        std::cerr << "Fast DDS peer: " << error.what() << std::endl;
        return 1;
    }
}
