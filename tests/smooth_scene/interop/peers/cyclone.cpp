// A peer on Cyclone DDS, with requests and replies tied together as rmw_cyclonedds_cpp does it: in front of the message
// stand eight bytes that name the client and eight that count. Messages pass as bytes, by a type of our own.
#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>
#include <dds/ddsi/q_radmin.h>
#include <dds/ddsrt/heap.h>

#include <random>

#include "peer.hpp"

namespace {

int check(int result, const char* what) {
    if (result < 0) throw std::runtime_error(std::string(what) + ": " + dds_strretcode(-result));
    return result;
}

// One message as bytes, header first, filled up with zeros to a multiple of four.
struct Data : ddsi_serdata {
    Bytes bytes;
    size_t size = 0;

    Data(const ddsi_sertype* type, enum ddsi_serdata_kind kind, size_t size) : bytes((size + 3) / 4 * 4), size(size) {
        ddsi_serdata_init(this, type, kind);
        hash = type->serdata_basehash;
    }
};

const Data* data(const ddsi_serdata* d) { return static_cast<const Data*>(d); }

ddsi_serdata* from_fragments(const ddsi_sertype* type, enum ddsi_serdata_kind kind, const nn_rdata* fragment, size_t size) {
    auto d = new Data(type, kind, size);
    for (uint32_t done = 0; fragment; fragment = fragment->nextfrag) {
        if (fragment->maxp1 <= done) continue;
        const auto payload = NN_RMSG_PAYLOADOFF(fragment->rmsg, NN_RDATA_PAYLOAD_OFF(fragment));
        memcpy(d->bytes.data() + done, payload + done - fragment->min, fragment->maxp1 - done);
        done = fragment->maxp1;
    }
    return d;
}

ddsi_serdata* from_pieces(
    const ddsi_sertype* type, enum ddsi_serdata_kind kind, ddsrt_msg_iovlen_t count, const ddsrt_iovec_t* pieces, size_t size) {
    auto d = new Data(type, kind, size);
    size_t done = 0;
    for (ddsrt_msg_iovlen_t i = 0; i < count && done < size; ++i) {
        const size_t n = std::min<size_t>(pieces[i].iov_len, size - done);
        memcpy(d->bytes.data() + done, pieces[i].iov_base, n);
        done += n;
    }
    return d;
}

ddsi_serdata* reference(const ddsi_serdata* d, size_t offset, size_t size, ddsrt_iovec_t* into) {
    into->iov_base = const_cast<uint8_t*>(data(d)->bytes.data() + offset);
    into->iov_len = static_cast<ddsrt_iov_len_t>(size);
    return ddsi_serdata_ref(d);
}

const ddsi_serdata_ops make_data_ops() {
    ddsi_serdata_ops ops{};
    ops.eqkey = [](const ddsi_serdata*, const ddsi_serdata*) { return true; };
    ops.get_size = [](const ddsi_serdata* d) { return static_cast<uint32_t>(data(d)->size); };
    ops.from_ser = from_fragments;
    ops.from_ser_iov = from_pieces;
    ops.from_keyhash = [](const ddsi_sertype* type, const ddsi_keyhash*) -> ddsi_serdata* { return new Data(type, SDK_KEY, 4); };
    ops.from_sample = [](const ddsi_sertype* type, enum ddsi_serdata_kind kind, const void*) -> ddsi_serdata* {
        return new Data(type, kind, 4);
    };
    ops.to_ser = [](const ddsi_serdata* d, size_t offset, size_t size, void* into) {
        memcpy(into, data(d)->bytes.data() + offset, size);
    };
    ops.to_ser_ref = reference;
    ops.to_ser_unref = [](ddsi_serdata* d, const ddsrt_iovec_t*) { ddsi_serdata_unref(d); };
    ops.to_sample = [](const ddsi_serdata*, void*, void**, void*) { return false; };
    ops.to_untyped = [](const ddsi_serdata* d) -> ddsi_serdata* {
        auto untyped = new Data(d->type, SDK_KEY, 4);
        untyped->type = nullptr;
        return untyped;
    };
    ops.untyped_to_sample = [](const ddsi_sertype*, const ddsi_serdata*, void*, void**, void*) { return true; };
    ops.free = [](ddsi_serdata* d) { delete static_cast<Data*>(d); };
    ops.print = [](const ddsi_sertype*, const ddsi_serdata*, char* text, size_t size) -> size_t {
        return static_cast<size_t>(snprintf(text, size, "bytes"));
    };
    ops.get_keyhash = [](const ddsi_serdata*, ddsi_keyhash* into, bool) { memset(into, 0, sizeof *into); };
    return ops;
}
const ddsi_serdata_ops data_ops = make_data_ops();

const ddsi_sertype_ops make_type_ops() {
    ddsi_sertype_ops ops{};
    ops.version = ddsi_sertype_v0;
    ops.free = [](ddsi_sertype* type) {
        ddsi_sertype_fini(type);
        ddsrt_free(type);
    };
    ops.zero_samples = [](const ddsi_sertype*, void*, size_t) {};
    ops.realloc_samples = [](void**, const ddsi_sertype*, void*, size_t, size_t) {};
    ops.free_samples = [](const ddsi_sertype*, void**, size_t, dds_free_op_t) {};
    ops.equal = [](const ddsi_sertype*, const ddsi_sertype*) { return true; };
    ops.hash = [](const ddsi_sertype*) -> uint32_t { return 0; };
    return ops;
}
const ddsi_sertype_ops type_ops = make_type_ops();

dds_qos_t* make_qos(const std::string& kind) {
    dds_qos_t* qos = dds_create_qos();
    const bool reliable = kind != "best_effort";
    dds_qset_reliability(qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT, DDS_SECS(20));
    dds_qset_durability(qos, kind == "latched" ? DDS_DURABILITY_TRANSIENT_LOCAL : DDS_DURABILITY_VOLATILE);
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, kind == "latched" ? 100 : 4000);
    return qos;
}

struct Topic {
    dds_entity_t topic;
    ddsi_sertype* type;
};

Topic make_topic(dds_entity_t participant, const std::string& name, const std::string& type_name) {
    auto type = static_cast<ddsi_sertype*>(ddsrt_calloc(1, sizeof(ddsi_sertype)));
    ddsi_sertype_init(type, type_name.c_str(), &type_ops, &data_ops, true);
    const auto topic = check(dds_create_topic_sertype(participant, name.c_str(), &type, nullptr, nullptr, nullptr), "topic");
    return {topic, type};
}

struct Writer {
    dds_entity_t writer;
    ddsi_sertype* type;

    Writer(dds_entity_t participant, const Topic& topic, const std::string& qos) : type(topic.type) {
        dds_qos_t* q = make_qos(qos);
        writer = check(dds_create_writer(participant, topic.topic, q, nullptr), "writer");
        dds_delete_qos(q);
    }

    void write(const Bytes& bytes) {
        ddsrt_iovec_t piece = {const_cast<uint8_t*>(bytes.data()), bytes.size()};
        check(dds_writecdr(writer, from_pieces(type, SDK_DATA, 1, &piece, bytes.size())), "write");
    }

    bool matched() {
        dds_publication_matched_status_t status;
        check(dds_get_publication_matched_status(writer, &status), "status");
        return status.current_count > 0;
    }
};

struct Reader {
    dds_entity_t reader, waitset;

    Reader(dds_entity_t participant, const Topic& topic, const std::string& qos) {
        dds_qos_t* q = make_qos(qos);
        reader = check(dds_create_reader(participant, topic.topic, q, nullptr), "reader");
        dds_delete_qos(q);
        waitset = check(dds_create_waitset(participant), "waitset");
        check(dds_waitset_attach(waitset, check(dds_create_readcondition(reader, DDS_ANY_STATE), "condition"), 0), "attach");
    }

    std::optional<Bytes> take(Milliseconds at_most) {
        const auto end = Clock::now() + at_most;
        for (;;) {
            ddsi_serdata* taken = nullptr;
            dds_sample_info_t info;
            if (check(dds_takecdr(reader, &taken, 1, &info, DDS_ANY_STATE), "take") == 1) {
                std::optional<Bytes> bytes;
                if (info.valid_data) bytes.emplace(data(taken)->bytes.begin(), data(taken)->bytes.begin() + data(taken)->size);
                ddsi_serdata_unref(taken);
                if (bytes) return bytes;
                continue;
            }
            const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(end - Clock::now()).count();
            if (left <= 0) return std::nullopt;
            check(dds_waitset_wait(waitset, nullptr, 0, left), "wait");
        }
    }

    bool matched() {
        dds_subscription_matched_status_t status;
        check(dds_get_subscription_matched_status(reader, &status), "status");
        return status.current_count > 0;
    }
};

struct CycloneClient : Client {
    Writer requests;
    Reader replies;
    uint64_t id;
    int64_t sequence = 0;

    CycloneClient(dds_entity_t participant, const std::string& name, const std::string& type)
        : requests(participant, make_topic(participant, "rq" + name + "Request", dds_type(type, "_Request_")), "reliable"),
          replies(participant, make_topic(participant, "rr" + name + "Reply", dds_type(type, "_Response_")), "reliable") {
        std::random_device random;
        id = (static_cast<uint64_t>(random()) << 32) | random();
    }

    bool matched() override { return requests.matched() && replies.matched(); }

    int64_t send(const Bytes& request) override {
        ++sequence;
        Bytes framed(20);
        memcpy(framed.data(), request.data(), std::min<size_t>(request.size(), 4));
        memcpy(framed.data() + 4, &id, 8);
        memcpy(framed.data() + 12, &sequence, 8);
        if (request.size() > 4) framed.insert(framed.end(), request.begin() + 4, request.end());
        requests.write(framed);
        return sequence;
    }

    std::optional<std::pair<int64_t, Bytes>> next(Milliseconds at_most) override {
        const auto end = Clock::now() + at_most;
        for (;;) {
            const auto left = std::chrono::duration_cast<Milliseconds>(end - Clock::now());
            auto reply = replies.take(std::max(left, Milliseconds(0)));
            if (!reply) return std::nullopt;
            if (reply->size() < 20 || memcmp(reply->data() + 4, &id, 8)) continue;
            int64_t number = 0;
            memcpy(&number, reply->data() + 12, 8);
            reply->erase(reply->begin() + 4, reply->begin() + 20);
            return std::make_pair(number, std::move(*reply));
        }
    }
};

struct CyclonePublisher : Publisher {
    Writer writer;
    explicit CyclonePublisher(Writer writer) : writer(writer) {}
    bool matched() override { return writer.matched(); }
    void publish(const Bytes& message) override { writer.write(message); }
};

struct CycloneSubscriber : Subscriber {
    Reader reader;
    explicit CycloneSubscriber(Reader reader) : reader(reader) {}
    std::optional<Bytes> take(Milliseconds at_most) override { return reader.take(at_most); }
};

struct Cyclone : Middleware {
    dds_entity_t participant = check(dds_create_participant(domain(), nullptr, nullptr), "participant");
    dds_entity_t publications = check(dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSPUBLICATION, nullptr, nullptr), "reader");
    dds_entity_t subscriptions = check(dds_create_reader(participant, DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION, nullptr, nullptr), "reader");

    std::vector<Endpoint> endpoints() override {
        std::vector<Endpoint> found;
        dds_guid_t own;
        check(dds_get_guid(participant, &own), "guid");
        for (const auto reader : {publications, subscriptions}) {
            for (;;) {
                void* sample = nullptr;
                dds_sample_info_t info;
                if (check(dds_take(reader, &sample, &info, 1, 1), "take") == 0) break;
                const auto& endpoint = *static_cast<dds_builtintopic_endpoint_t*>(sample);
                if (info.valid_data && memcmp(&endpoint.participant_key, &own, sizeof own)) {
                    void* data = nullptr;
                    size_t size = 0;
                    dds_qget_userdata(endpoint.qos, &data, &size);
                    found.push_back({endpoint.topic_name, endpoint.type_name, std::string(static_cast<char*>(data), size)});
                    dds_free(data);
                }
                check(dds_return_loan(reader, &sample, 1), "return");
            }
        }
        return found;
    }

    std::unique_ptr<Client> client(const std::string& name, const std::string& type) override {
        return std::make_unique<CycloneClient>(participant, name, type);
    }
    std::unique_ptr<Publisher> advertise(const std::string& name, const std::string& type, const std::string& qos) override {
        return std::make_unique<CyclonePublisher>(Writer(participant, make_topic(participant, "rt" + name, dds_type(type, "_")), qos));
    }
    std::unique_ptr<Subscriber> subscribe(const std::string& name, const std::string& type, const std::string& qos) override {
        return std::make_unique<CycloneSubscriber>(Reader(participant, make_topic(participant, "rt" + name, dds_type(type, "_")), qos));
    }
    ~Cyclone() override { dds_delete(participant); }
};

}  // namespace

int main() {
    try {
        Cyclone cyclone;
        return serve_commands(cyclone);
    } catch (const std::exception& error) {
        std::cerr << "cyclone peer: " << error.what() << std::endl;
        return 1;
    }
}
